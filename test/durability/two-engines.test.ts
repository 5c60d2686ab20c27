import {
  createEngine,
  InMemoryMemoryIndex,
  type Engine,
  type EngineOptions,
  type PublicEvent,
  type UnitHandler,
} from '../../src/engine/index.js';
import { InProcessRunWatch } from '../../src/engine/drivers/local/in-process-run-watch.js';
import { SharedOwnership } from '../../src/engine/testing/ownership/shared-ownership.js';
import { aWhile, DurableEngines } from '../support/durability-engine.js';
import { until } from '../support/eventually.js';
import { inSequence } from '../support/engine.js';
import { SharedStore } from '../support/shared-store.js';

const SHARDS = 8;
const folders = new DurableEngines();
const open: Engine[] = [];

afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close();
  await folders.clear();
});

/** Two engines on one store, as two processes would be: each owns half of the shards. */
async function twoEngines(units: (name: string) => Readonly<Record<string, UnitHandler>>) {
  const store = new SharedStore(folders.folder());
  const ownership = new SharedOwnership({ shardCount: SHARDS });
  const watch = new InProcessRunWatch();
  const engineOf = async (name: string): Promise<Engine> => {
    const options: Partial<EngineOptions> = {
      store,
      watch,
      driver: ownership.driver(name),
      memory: new InMemoryMemoryIndex(),
      sameInstantMs: 0,
      shutdownGraceMs: 1_000,
    };
    const engine = createEngine(options);
    for (const [uses, handler] of Object.entries(units(name))) engine.registerUnit(uses, handler);
    await engine.open();
    open.push(engine);
    return engine;
  };
  const [left, right] = [await engineOf('left'), await engineOf('right')];
  await ownership.spread();
  return { left, right, store, ownership };
}

/** Counts the calls of each execution: none may be made twice. */
class Ledger {
  readonly calls = new Map<string, string[]>();

  unit(name: string, answer: () => unknown = () => name): UnitHandler {
    return ({ context }) => {
      const by = this.calls.get(context.executionId) ?? [];
      this.calls.set(context.executionId, [...by, name]);
      return answer();
    };
  }

  get repeated(): readonly string[] {
    return [...this.calls]
      .filter(([, by]) => by.length > 1)
      .map(([id, by]) => `${id} by ${by.join(' and ')}`);
  }
}

const gated = inSequence('gated', [
  { id: 'before', uses: 'work' },
  { id: 'gate', uses: 'builtin.approval' },
  { id: 'after', uses: 'work' },
]);

describe('two engines on one store', () => {
  it('see what the other registered, decided and finished', async () => {
    const ledger = new Ledger();
    const { left, right } = await twoEngines((name) => ({ work: ledger.unit(name) }));
    await left.workflows.register({ yaml: gated });
    expect((await right.workflows.list()).map(({ workflowId }) => workflowId)).toEqual(['gated']);
    const { runId, status } = await right.runs.start({ workflowId: 'gated', sync: true });
    expect(status).toBe('paused');
    const address = { workflowId: 'gated', runId };
    expect((await left.runs.get(address)).result?.completedUnits).toEqual(['before']);
    expect(await left.gates.open(address)).toMatchObject([{ unitId: 'gate', payload: null }]);
    expect(await left.gates.open(address)).toEqual(await right.gates.open(address));
    const decided = await left.gates.respond({ ...address, approved: true, responder: 'ann' });
    expect(decided).toMatchObject({
      status: 'completed',
      result: { completedUnits: ['before', 'gate', 'after'] },
    });
    expect((await right.runs.get(address)).status).toBe('completed');
    expect([...ledger.calls.values()].flat()).toEqual(['right', 'right']);
  });

  it('show the same events, and with them the same pauses, whichever of them is asked', async () => {
    const { left, right } = await twoEngines(() => ({ work: () => 1 }));
    await left.workflows.register({ yaml: gated });
    for (const [one, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const { runId } = await one.runs.start({ workflowId: 'gated', sync: true });
      const address = { workflowId: 'gated', runId };
      const { items: paused } = await one.runs.events(address);
      expect(paused.at(-1)?.change?.type).toBe('run.paused');
      expect((await other.runs.events(address)).items).toEqual(paused);
      await other.gates.respond({ ...address, approved: true, responder: 'ann' });
      const { items } = await one.runs.events(address);
      expect(items.slice(0, paused.length)).toEqual(paused);
      expect(items.flatMap(({ change }) => change?.type ?? [])).toEqual(['run.paused', 'run.resumed']);
      for (const engine of [one, other]) {
        const streamed: PublicEvent[] = [];
        for await (const event of engine.runs.stream(address)) streamed.push(event);
        expect(streamed).toEqual(items);
        expect((await engine.runs.events({ ...address, tail: 4 })).items).toEqual(items.slice(-4));
      }
    }
  });

  it('start from what is registered now, whichever of them registered it', async () => {
    const { left, right } = await twoEngines(() => ({ work: () => 1 }));
    const version = (id: string) => inSequence('w', [{ id, uses: 'work' }]);
    await left.workflows.register({ yaml: version('old') });
    expect((await right.runs.start({ workflowId: 'w', sync: true })).result?.completedUnits).toEqual(['old']);
    await left.workflows.register({ yaml: version('new') });
    expect((await right.runs.start({ workflowId: 'w', sync: true })).result?.completedUnits).toEqual(['new']);
  });

  it('call the next unit once when both receive the same decision at the same instant', async () => {
    const ledger = new Ledger();
    const { left, right } = await twoEngines((name) => ({ work: ledger.unit(name) }));
    await left.workflows.register({ yaml: gated });
    const starts = Array.from({ length: 20 }, () => left.runs.start({ workflowId: 'gated', sync: true }));
    for (const { runId } of await Promise.all(starts)) {
      const decision = { workflowId: 'gated', runId, approved: true, responder: 'ann' };
      const both = await Promise.all([left.gates.respond(decision), right.gates.respond(decision)]);
      expect(both.map(({ status }) => status)).toEqual(['completed', 'completed']);
    }
    expect(ledger.repeated).toEqual([]);
    expect(ledger.calls.size).toBe(40);
  });

  it('call no unit twice while shards move between them under load, and every run ends', async () => {
    const ledger = new Ledger();
    const soon = () => new Promise((resolve) => setTimeout(resolve, 3));
    const { left, right, ownership } = await twoEngines((name) => ({ work: ledger.unit(name, soon) }));
    const units = ['a', 'b', 'c', 'd'].map((id) => ({ id, uses: 'work' }));
    await left.workflows.register({ yaml: inSequence('w', units) });
    const starts: Promise<{ status: string }>[] = [];
    for (let round = 0; round < 6; round++) {
      for (const engine of [left, right]) {
        for (let count = 0; count < 10; count++)
          starts.push(engine.runs.start({ workflowId: 'w', sync: true }));
      }
      for (let shard = 0; shard < SHARDS; shard++) {
        const [from, to] =
          (shard + round) % 2 === 0 ? (['left', 'right'] as const) : (['right', 'left'] as const);
        if (ownership.shardsOf(from).includes(shard)) await ownership.move(shard, from, to);
      }
    }
    const records = await Promise.all(starts);
    expect(records.filter(({ status }) => status !== 'completed')).toEqual([]);
    expect(ledger.repeated).toEqual([]);
    expect(ledger.calls.size).toBe(4 * records.length);
  });

  it('hand over runs without counting it as a recovery', async () => {
    const ledger = new Ledger();
    const hanging = new Promise(() => {});
    const { left, store, ownership } = await twoEngines((name) => ({
      work: ledger.unit(name, () => (name === 'left' ? hanging : 'done')),
    }));
    await left.workflows.register({ yaml: inSequence('w', [{ id: 'a', uses: 'work' }]) });
    const { runId } = await left.runs.start({ workflowId: 'w' });
    await until(() => ledger.calls.size === 1, 'the unit is called');
    for (const shard of ownership.shardsOf('left')) await ownership.move(shard, 'left', 'right');
    await until(
      async () => (await store.readRow({ runId }))?.status === 'completed',
      'the run ends elsewhere',
    );
    const types = (await store.readEvents({ runId, afterSeq: 0, limit: 10 })).map(({ type }) => type);
    expect(types).not.toContain('recovered');
  });

  it('take over from one that died, and its stale writes change nothing', async () => {
    const ledger = new Ledger();
    const { promise, resolve } = Promise.withResolvers<string>();
    const { left, store, ownership } = await twoEngines((name) => ({
      work: ledger.unit(name, () => (name === 'left' ? promise : 'of right')),
    }));
    await left.workflows.register({ yaml: inSequence('w', [{ id: 'a', uses: 'work' }]) });
    const { runId } = await left.runs.start({ workflowId: 'w' });
    await until(() => ledger.calls.size === 1, 'the unit is called');
    ownership.kill('left');
    await until(
      async () => (await store.readRow({ runId }))?.status === 'completed',
      'the run ends elsewhere',
    );
    const before = await store.readEvents({ runId, afterSeq: 0, limit: 20 });
    resolve('of left');
    await aWhile();
    expect(await store.readEvents({ runId, afterSeq: 0, limit: 20 })).toEqual(before);
  });
});
