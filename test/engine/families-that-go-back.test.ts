import type { RunEvent } from '../../src/engine/core/log/event.js';
import { decodeEvents } from '../../src/engine/core/log/event-codec.js';
import { inSequence, workflowYaml } from '../support/engine.js';
import {
  child,
  gate,
  GRACE_MS,
  BlockingStore,
  INSTANT_MS,
  unit,
  World,
  type Address,
} from '../support/family-world.js';

let store: BlockingStore;
let world: World;
let outer: Address;
let inner: Address;

beforeEach(async () => {
  store = new BlockingStore();
  world = new World(store);
  await world.open();
});
afterEach(() => world.close());

async function started(innermost: string): Promise<void> {
  await world.register(innermost, inSequence('outer', [child('sub', 'inner')]));
  outer = await world.start('outer');
  inner = await world.firstChild(outer);
}

const logOf = async ({ runId }: Address): Promise<readonly RunEvent[]> =>
  decodeEvents(await store.readEvents({ runId, afterSeq: 0, limit: 1_000 }), runId);

async function endOf(unitId: string): Promise<string> {
  const end = (await logOf(inner)).find((event) => event.type === 'unit-finished' && event.unitId === unitId);
  return `${inner.runId}.${end?.seq}`;
}

const decided = async (): Promise<void> => {
  const [open] = await world.engine.gates.open(inner);
  await world.asked(
    world.engine.gates.respond({ ...inner, approved: true, responder: 'ann', gateId: open!.gateId }),
  );
};

const statuses = async () => [await world.status(outer), await world.status(inner)];

describe('a child that reaches the next gate while its parent still stores that it moved', () => {
  it('leaves its parent paused, as it is itself', async () => {
    const second = { ...gate, id: 'second' };
    world.answerAtOnce('work');
    await started(inSequence('inner', [gate, unit('work'), second]));
    store.isBlocked = ({ runId }) => runId === outer.runId;
    await decided();
    await world.passes(INSTANT_MS);
    expect([store.blocked, await world.status(inner)]).toEqual([1, 'paused']);
    store.unblock();
    await world.passes(GRACE_MS);
    expect(await statuses()).toEqual(['paused', 'paused']);
    await decided();
    expect(await statuses()).toEqual(['completed', 'completed']);
  });
});

describe('a child that is rewound by its own address', () => {
  const paused = workflowYaml('inner', {
    units: [unit('a', { pause: 'before' }), unit('b'), unit('c')],
    flow: { type: 'sequential', order: [{ type: 'parallel', units: ['a', 'b'] }, 'c'] },
  });

  it('waits at the pause that was lifted before with its family, until it is resumed again', async () => {
    world.answerAtOnce('a', 'b');
    await started(paused);
    await world.asked(world.engine.runs.resume(outer));
    expect(world.called()).toEqual(['b', 'a', 'c']);
    await world.asked(world.engine.runs.resume({ ...inner, snapshotId: await endOf('b') }));
    await world.passes(GRACE_MS);
    expect(await statuses()).toEqual(['paused', 'paused']);
    await world.restart();
    await world.passes(GRACE_MS);
    expect([world.called(), ...(await statuses())]).toEqual([['b', 'a', 'c'], 'paused', 'paused']);
    await world.asked(world.engine.runs.resume(outer));
    expect(world.called()).toEqual(['b', 'a', 'c', 'a', 'c']);
  });

  it('is paused with its family once more after it left that pause', async () => {
    world.answerAtOnce('a', 'pay');
    await started(inSequence('inner', [unit('a'), gate, unit('pay')]));
    await world.asked(world.engine.runs.pause(outer));
    await world.asked(world.engine.runs.resume({ ...inner, snapshotId: await endOf('a') }));
    await world.passes(GRACE_MS);
    await world.asked(world.engine.runs.pause(outer));
    await decided();
    await world.passes(GRACE_MS);
    expect([world.called(), await world.status(inner)]).toEqual([['a'], 'paused']);
    await world.asked(world.engine.runs.resume(outer));
    expect([world.called(), ...(await statuses())]).toEqual([['a', 'pay'], 'completed', 'completed']);
  });
});

describe('a failed child that is retried with its parent', () => {
  it('is retried although something was recorded about it since it failed', async () => {
    await started(inSequence('inner', [unit('work')]));
    world.callsOf('work')[0]!.fail(true);
    await world.settles();
    expect(await statuses()).toEqual(['failed', 'failed']);
    await world.asked(world.engine.runs.pause({ ...inner, idempotencyKey: 'noted' }));
    expect((await logOf(inner)).at(-1)).toMatchObject({ type: 'request-noted' });
    world.answerAtOnce('work');
    await world.asked(world.engine.runs.resume(outer));
    expect(await statuses()).toEqual(['completed', 'completed']);
  });
});
