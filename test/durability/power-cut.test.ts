import { INITIAL_STATE } from '../../src/engine/core/state/state.js';
import { foldLog } from '../../src/engine/core/fold-log.js';
import { decodeEvents } from '../../src/engine/core/log/event-codec.js';
import { encodeState } from '../../src/engine/core/state/codec/state-codec.js';
import { SliceScheduler } from '../../src/engine/runtime/mailbox/slice-scheduler.js';
import { loadState } from '../../src/engine/runtime/mailbox/loading/load-state.js';
import type { RunRecord } from '../../src/engine/index.js';
import { DurableEngines, type DurableEngine } from '../support/durability-engine.js';
import { until } from '../support/eventually.js';
import { SteeredStore } from '../support/durability-store.js';
import { workflowYaml } from '../support/engine.js';

const engines = new DurableEngines();
afterEach(() => engines.clear());

const RUNS = 6;
const BRANCHES = ['left', 'right'];

/** A workflow with a little of everything: a sequence, a parallel, a retry, a gate. */
const yaml = workflowYaml('mixed', {
  units: [
    ...['first', ...BRANCHES, 'shaky', 'last'].map((id) => ({ id, uses: 'work' })),
    { id: 'agree', uses: 'builtin.approval', config: { title: 'Go on?' } },
  ],
  policy: { retry: { baseMs: 1 } },
  flow: {
    type: 'sequential',
    order: ['first', { type: 'parallel', units: BRANCHES }, 'shaky', 'agree', 'last'],
  },
});

const work =
  (called: (runId: string, executionId: string) => void) =>
  async ({
    context,
  }: {
    context: { runId: string; executionId: string; unitId: string; attempt: number };
  }) => {
    called(context.runId, context.executionId);
    await new Promise((resolve) => setImmediate(resolve));
    if (context.unitId === 'shaky' && context.attempt === 1) throw new Error('once more');
    return `${context.unitId} done`;
  };

/** What a client knows of a run. */
interface Known {
  readonly executions: Set<string>;
  record: RunRecord | null;
  messages: number;
  snapshots: readonly string[];
}

/** A power cut: the folder as it is left, and what clients knew before. */
interface Cut {
  readonly folder: string;
  readonly known: ReadonlyMap<string, Known>;
}

describe('a power cut at any moment', () => {
  it('loses nothing that anyone had seen, and leaves runs that fold, continue and end correctly', async () => {
    const known = new Map<string, Known>();
    const of = (runId: string): Known => {
      const fresh = { executions: new Set<string>(), record: null, messages: 0, snapshots: [] };
      known.set(runId, known.get(runId) ?? fresh);
      return known.get(runId)!;
    };
    const folder = engines.folder();
    const cuts: Cut[] = [];
    let calls = 0;
    const cutPower = (): void => {
      cuts.push({ known: structuredClone(known), folder: engines.afterPowerCut(folder) });
    };
    const first = await engines.open(folder, {
      work: work((runId, executionId) => {
        of(runId).executions.add(executionId);
        // This is in the middle of the write that another run waits for.
        if (++calls % 7 === 0) cutPower();
      }),
    });
    await first.engine.workflows.register({ yaml });
    await Promise.all(Array.from({ length: RUNS }, () => lifeOf(first, of)));
    cutPower();
    expect(cuts.length).toBeGreaterThan(4);
    for (const cut of cuts) await check(cut);
  }, 30_000);
});

/** A client that starts a run, polls it, and approves. */
async function lifeOf({ engine, clock }: DurableEngine, of: (runId: string) => Known): Promise<void> {
  const { runId } = await engine.runs.start({ workflowId: 'mixed', input: { x: 1 } });
  const address = { workflowId: 'mixed', runId };
  const look = async (): Promise<RunRecord> => {
    const record = await engine.runs.get(address);
    const { messages } = await engine.runs.messages(address);
    const snapshots = await engine.runs.snapshots(address);
    const known = of(runId);
    known.record = record;
    known.messages = messages.length;
    known.snapshots = snapshots.map(({ snapshotId }) => snapshotId);
    return record;
  };
  await until(async () => {
    await clock.advance(5);
    return (await look()).status === 'paused';
  }, 'the run asks for approval');
  of(runId).record = await engine.gates.respond({ ...address, approved: true, responder: 'ann' });
  expect((await look()).status).toBe('completed');
}

async function check({ folder, known }: Cut): Promise<void> {
  const store = new SteeredStore(folder);
  await store.open();
  const finished = new Set<string>();
  for (const [runId, { executions, record, messages }] of known) {
    const row = await store.readRow({ runId });
    if (row === null) throw new Error('A run that somebody knew of is gone.');
    const events = decodeEvents(await store.readEvents({ runId, afterSeq: 0, limit: 10_000 }), runId);
    const scheduled = events.flatMap((event) =>
      event.type === 'unit-scheduled' ? [`${runId}:${event.seq}`] : [],
    );
    for (const executionId of executions) expect(scheduled).toContain(executionId);
    for (const event of events)
      if (event.type === 'unit-finished') finished.add(`${runId}:${event.executionId}`);
    expect(events.length).toBeGreaterThanOrEqual(messages === 0 ? 1 : 2);
    expect(row.updatedAt).toBeGreaterThanOrEqual(record?.updatedAt ?? 0);
    const loaded = await loadState({ store, slices: new SliceScheduler() }, { runId, atSeq: null });
    expect(loaded?.row).toEqual(row);
    expect(loaded?.state.seq).toBe(events.length);
    expect(encodeState(foldLog(INITIAL_STATE, events))).toEqual(encodeState(loaded!.state));
  }
  await store.close();
  await goesOn({ folder, known }, finished);
}

async function goesOn({ folder, known }: Cut, finished: ReadonlySet<string>): Promise<void> {
  const again: string[] = [];
  const { engine, clock } = await engines.open(
    folder,
    { work: work((_runId, executionId) => void again.push(executionId)) },
    { now: 1_750_000_100_000 },
  );
  for (const [runId, before] of known) {
    const address = { workflowId: 'mixed', runId };
    const { messages } = await engine.runs.messages(address);
    expect(messages.length).toBeGreaterThanOrEqual(before.messages);
    const snapshots = (await engine.runs.snapshots(address)).map(({ snapshotId }) => snapshotId);
    expect(snapshots.slice(0, before.snapshots.length)).toEqual(before.snapshots);
    await until(async () => {
      await clock.advance(5);
      return (await engine.runs.get(address)).status !== 'running';
    }, 'the run stops');
    if (before.record?.status === 'completed') {
      expect(await engine.runs.get(address)).toEqual(before.record);
    }
    const record = await engine.gates.respond({ ...address, approved: true, responder: 'ann' });
    expect(record).toMatchObject({ status: 'completed' });
    const outputs = ['first', ...BRANCHES, 'shaky', 'last'].map((id) => [`output.${id}`, `${id} done`]);
    expect(record.result?.state).toMatchObject(Object.fromEntries(outputs));
  }
  expect(again.filter((executionId) => finished.has(executionId))).toEqual([]);
  await engine.close();
}
