import type { Engine } from '../../src/engine/index.js';
import { openEngine, workflowYaml, type TestEngine } from '../support/engine.js';
import { exportOf, linesOf, withSum } from '../support/exports.js';
import { renumbered, type ForgedEvent } from '../support/forgeries/edited-log.js';

const BY = { id: 'eve', owner: null, via: 'http', auth: 'none' };

let there: TestEngine;
let calls: unknown[];

beforeEach(async () => {
  calls = [];
  there = await openEngine(units());
  await there.clock.advance(3_600_000);
});
afterEach(() => there.engine.close());

const units = () => ({
  work: () => 'done',
  pay: ({ input }: { readonly input: unknown }) => {
    calls.push(input);
    return 'paid';
  },
});

interface Exported {
  readonly header: object;
  readonly events: readonly ForgedEvent[];
  readonly runId: string;
}

/** A run of the document, made elsewhere, that went as far as it can without a decision. */
async function made(yaml: string, input: object = {}): Promise<Exported> {
  const elsewhere = await openEngine(units());
  await elsewhere.engine.workflows.register({ yaml });
  const run = await elsewhere.engine.runs.start({ workflowId: 'w', input: input as never, sync: true });
  const exported = await readFrom(elsewhere.engine, run.runId);
  await elsewhere.engine.close();
  return exported;
}

async function readFrom(engine: Engine, runId: string): Promise<Exported> {
  const [header, ...events] = linesOf(await exportOf(engine, { workflowId: 'w', runId }));
  return { header: header!, events: events as unknown as ForgedEvent[], runId };
}

const importing = ({ header }: Exported, runId: string, events: readonly ForgedEvent[]) => {
  const [started, ...others] = events;
  const all = renumbered([{ ...started!, runId }, ...others]);
  return there.engine.runs.import({ ndjson: Buffer.from(withSum([{ ...header, runId }, ...all])) });
};

const event = (type: string, more: object): ForgedEvent => ({ v: 1, seq: 0, at: 0, type, ...more }) as never;

const fork = (runId: string, more: object = {}) =>
  there.engine.runs.fork({ workflowId: 'w', runId, sync: true, ...more });

async function lastSnapshot(runId: string): Promise<string> {
  const snapshots = await there.engine.runs.snapshots({ workflowId: 'w', runId });
  return snapshots.at(-1)!.snapshotId;
}

const AMOUNT = '${{ input.amount }}';
const GATED = workflowYaml('w', {
  units: [
    { id: 'gate', uses: 'builtin.approval', config: { payload: AMOUNT } },
    { id: 'pay', uses: 'pay', with: { amount: AMOUNT } },
  ],
  flow: { type: 'sequential' },
});

describe('an imported run that says that it is a fork', () => {
  const NOT_THERE =
    /^The run is a fork in front of a unit that the run \S+ did not come to after its event \d+/;

  it('begins before no unit that its source did not come to next', async () => {
    const gateBeside = workflowYaml('w', {
      units: [
        { id: 'gate', uses: 'builtin.approval' },
        { id: 'first', uses: 'work' },
        { id: 'second', uses: 'work' },
        { id: 'pay', uses: 'pay' },
      ],
      flow: {
        type: 'sequential',
        order: [
          { type: 'parallel', units: ['gate', { type: 'sequential', order: ['first', 'second'] }] },
          'pay',
        ],
      },
    });
    const honest = await made(gateBeside);
    const until = honest.events.findIndex(({ type }) => type === 'unit-finished') + 1;
    await importing(honest, 'source', honest.events.slice(0, until));
    const { path, scope, unitId } = honest.events.find(({ type }) => type === 'gate-opened') as never as {
      readonly [K in 'path' | 'scope' | 'unitId']: string;
    };
    // The following event is the one that ended the import, which scheduled nothing.
    const forked = event('run-forked', {
      fromRunId: 'source',
      fromSeq: until + 1,
      before: { path, scope, unitId },
      edits: {},
      by: BY,
    });
    await there.engine.workflows.register({ yaml: gateBeside });
    await expect(importing(honest, 'forged', [honest.events[0]!, forked])).rejects.toThrow(NOT_THERE);
  });

  it('gives no unit an input for later', async () => {
    const honest = await made(GATED, { amount: 1 });
    await there.engine.workflows.register({ yaml: GATED });
    const plants = (fromRunId: string, fromSeq: number) =>
      event('run-forked', {
        fromRunId,
        fromSeq,
        before: { path: '/spec/flow/order/1', scope: '', unitId: 'pay' },
        edits: { unitInput: { amount: 1_000_000 } },
        by: BY,
      });
    await expect(
      importing(honest, 'forged', [honest.events[0]!, plants('nowhere', 0)]),
    ).rejects.toMatchObject({ code: 'invalid-request' });
    await importing(honest, 'source', honest.events);
    for (const fromSeq of [0, 1])
      await expect(
        importing(honest, 'forged', [honest.events[0]!, plants('source', fromSeq)]),
      ).rejects.toThrow(NOT_THERE);
  });

  it('is accepted where it began by another definition that lacks the unit before which it began', async () => {
    const inSequence = (ids: readonly string[]) =>
      workflowYaml('w', { units: ids.map((id) => ({ id, uses: 'work' })), flow: { type: 'sequential' } });
    const here = await openEngine(units());
    await here.engine.workflows.register({ yaml: inSequence(['a', 'b', 'c']) });
    const { runId } = await here.engine.runs.start({ workflowId: 'w', sync: true });
    await here.engine.workflows.register({ yaml: inSequence(['a', 'b']) });
    const from = { unitId: 'c' };
    const shorter = await here.engine.runs.fork({
      workflowId: 'w',
      runId,
      from,
      definition: 'current',
      sync: true,
    });
    expect(shorter.status).toBe('completed');
    for (const id of [runId, shorter.runId]) {
      const ndjson = Buffer.from(await exportOf(here.engine, { workflowId: 'w', runId: id }));
      await expect(there.engine.runs.import({ ndjson })).resolves.toMatchObject({ status: 'completed' });
    }
    await here.engine.close();
  });
});

describe('a fork of an imported run', () => {
  const spared = workflowYaml('w', {
    units: [
      { id: 'a', uses: 'work' },
      { id: 'gate', uses: 'builtin.approval', if: 'false' },
      { id: 'b', uses: 'work', pause: 'before' },
      { id: 'pay', uses: 'pay', pause: 'before' },
    ],
    flow: { type: 'sequential' },
  });
  const guarded = workflowYaml('w', {
    units: [
      { id: 'a', uses: 'work' },
      { id: 'gate', uses: 'builtin.approval' },
      { id: 'b', uses: 'work' },
      { id: 'pay', uses: 'pay' },
    ],
    flow: { type: 'sequential' },
  });
  const refusal = {
    code: 'incompatible-definition',
    details: [{ path: '/spec/flow/order/1' }],
    message: expect.stringContaining('went by another definition, in which gates of this one may be missing'),
  };

  it('continues by no definition with gates that the run did not pass', async () => {
    const honest = await made(spared);
    await there.engine.workflows.register({ yaml: guarded });
    await importing(honest, honest.runId, honest.events);
    const from = { snapshotId: await lastSnapshot(honest.runId) };
    await expect(fork(honest.runId, { from, definition: 'current' })).rejects.toMatchObject(refusal);
    expect(await fork(honest.runId, { definition: 'current' })).toMatchObject({ status: 'paused' });
    // The same with a fork of our own in between.
    const own = await fork(honest.runId, { from });
    expect(own.status).toBe('paused');
    const ofOwn = { snapshotId: await lastSnapshot(own.runId) };
    await expect(fork(own.runId, { from: ofOwn, definition: 'current' })).rejects.toMatchObject(refusal);
    expect(calls).toEqual([]);
  });

  it('continues by another definition where that has no gates, or where it may pass them', async () => {
    const honest = await made(spared);
    const open = await openEngine(units(), { forkPastGates: true });
    await open.clock.advance(3_600_000);
    await open.engine.workflows.register({ yaml: guarded });
    await open.engine.runs.import({
      ndjson: Buffer.from(withSum([honest.header, ...renumbered(honest.events)])),
    });
    const snapshots = await open.engine.runs.snapshots({ workflowId: 'w', runId: honest.runId });
    const from = { snapshotId: snapshots.at(-1)!.snapshotId };
    const request = {
      workflowId: 'w',
      runId: honest.runId,
      from,
      definition: 'current',
      sync: true,
    } as const;
    expect(await open.engine.runs.fork(request)).toMatchObject({ status: 'completed' });
    await open.engine.close();

    const without = workflowYaml('w', {
      units: [
        { id: 'a', uses: 'work' },
        { id: 'gate', uses: 'work' },
        { id: 'b', uses: 'work' },
        { id: 'pay', uses: 'pay' },
      ],
      flow: { type: 'sequential' },
    });
    await there.engine.workflows.register({ yaml: without });
    await importing(honest, honest.runId, honest.events);
    expect(await fork(honest.runId, { from, definition: 'current' })).toMatchObject({ status: 'completed' });
  });

  it('has no input with keys that only the service writes', async () => {
    const honest = await made(GATED, { amount: 1 });
    const [started, ...others] = honest.events;
    const input = { amount: 1, 'hitl.approved': true };
    await there.engine.workflows.register({ yaml: GATED });
    await importing(honest, 'forged', [{ ...started!, input }, ...others]);
    const from = { snapshotId: await lastSnapshot('forged') };
    for (const more of [{}, { from }, { from, input: { amount: 2 } }])
      await expect(fork('forged', more)).rejects.toThrow('input["hitl.approved"] is reserved');
    expect(await fork('forged', { input: { amount: 2 } })).toMatchObject({ status: 'paused' });
  });
});
