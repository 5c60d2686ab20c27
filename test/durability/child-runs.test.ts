import { ENGINE_ACTOR } from '../../src/engine/core/log/actor.js';
import type { Signal } from '../../src/engine/core/signal.js';
import type { Engine, RunRecord } from '../../src/engine/index.js';
import { StoreError } from '../../src/errors/service-errors.js';
import { LiveRun } from '../../src/engine/runtime/mailbox/live-run.js';
import { systemClock } from '../../src/engine/runtime/system-clock.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../support/built-worker.js';
import { DurableEngines } from '../support/durability-engine.js';
import { until } from '../support/eventually.js';
import { inSequence, workflowYaml } from '../support/engine.js';
import { definitionOf, LiveShell } from '../support/live-shell.js';

const engines = new DurableEngines();
afterEach(() => engines.clear());

const child = (id: string, workflowId: string) => ({ id, uses: 'builtin.workflow', config: { workflowId } });
const gate = { id: 'gate', uses: 'builtin.approval' };
const INNER = inSequence('inner', [gate]);
const OUTER = inSequence('outer', [child('sub', 'inner')]);

interface Address {
  readonly workflowId: string;
  readonly runId: string;
}

const statusOf = async (engine: Engine, address: Address) => (await engine.runs.get(address)).status;
const becomes = (engine: Engine, address: Address, status: RunRecord['status']) =>
  until(async () => (await statusOf(engine, address)) === status, `${address.workflowId} is ${status}`);

async function firstChild(engine: Engine, address: Address): Promise<Address> {
  const { messages } = await engine.runs.messages(address);
  const started = messages.find(({ type }) => type === 'child-started');
  if (started?.type !== 'child-started') throw new Error('It has no child.');
  return { workflowId: started.workflowId, runId: started.childRunId };
}

/** A parent that waits for a child at its gate, in a folder that no process has open any more. */
async function pausedFamily(folder: string) {
  const { engine } = await engines.open(folder);
  for (const yaml of [INNER, OUTER]) await engine.workflows.register({ yaml });
  const { runId } = await engine.runs.start({ workflowId: 'outer', sync: true });
  const outer = { workflowId: 'outer', runId };
  const inner = await firstChild(engine, outer);
  await becomes(engine, outer, 'paused');
  await engine.close();
  return { outer, inner };
}

/** Applies a signal to a run in a process that dies before it notifies anybody. */
async function appliedWithoutNotifying(
  folder: string,
  { runId }: Address,
  yaml: string,
  signal: Signal,
): Promise<void> {
  const store = new SqliteRunStore({ folder, workers: builtWorkers });
  await store.open();
  const run = new LiveRun(runId, definitionOf(yaml), new LiveShell(store));
  await run.load();
  await run.send([signal]);
  await store.close();
}

const decision = { type: 'decision', at: Date.now(), gateId: 2, approved: true, responder: 'ann' } as const;
const cancel = { type: 'cancel', at: Date.now(), by: ENGINE_ACTOR, graceMs: 0 } as const;

describe('what was lost between a child and its parent', () => {
  it('is notified by the next process: the child ended', async () => {
    const folder = engines.folder();
    const { outer, inner } = await pausedFamily(folder);
    await appliedWithoutNotifying(folder, inner, INNER, { ...decision, by: ENGINE_ACTOR, comment: null });
    const { engine } = await engines.open(folder, {}, { clock: systemClock });
    await becomes(engine, outer, 'completed');
    expect((await engine.runs.get(outer)).result?.state).toMatchObject({
      'output.sub': { 'hitl.approved': true },
    });
  });

  it('is notified by the next process: the child was cancelled', async () => {
    const folder = engines.folder();
    const { outer, inner } = await pausedFamily(folder);
    await appliedWithoutNotifying(folder, inner, INNER, cancel);
    const { engine } = await engines.open(folder, {}, { clock: systemClock });
    await becomes(engine, outer, 'failed');
  });

  it('is done by the next process: nobody waits for the child any more', async () => {
    const folder = engines.folder();
    const { outer, inner } = await pausedFamily(folder);
    await appliedWithoutNotifying(folder, outer, OUTER, cancel);
    const { engine, store } = await engines.open(folder, {}, { clock: systemClock });
    await becomes(engine, inner, 'failed');
    expect((await engine.runs.get(inner)).error).toBe('Cancelled by engine');
    const left = async () => (await store.readFamilyLog({ afterPosition: 0, limit: 9 })).length;
    await until(async () => (await left()) === 0, 'the family log is empty');
  });

  it('keeps nothing else: without children nothing is written to the family log', async () => {
    const { engine, store } = await engines.open(engines.folder());
    await engine.workflows.register({ yaml: INNER });
    const { runId } = await engine.runs.start({ workflowId: 'inner', sync: true });
    await engine.gates.respond({ workflowId: 'inner', runId, approved: true, responder: 'ann' });
    expect(store.asked.some(({ concernsFamily }) => concernsFamily)).toBe(false);
  });
});

describe('a child whose start the store does not accept at once', () => {
  it.each(['nothing is written', 'the answer is lost'] as const)(
    'is started all the same: %s',
    async (fault) => {
      const { engine, store } = await engines.open(engines.folder(), {}, { clock: systemClock });
      for (const yaml of [INNER, OUTER]) await engine.workflows.register({ yaml });
      const append = store.append.bind(store);
      let failures = fault === 'the answer is lost' ? 1 : 2;
      store.append = async (request) => {
        if (request.row.parentRunId === null || failures === 0) return append(request);
        failures--;
        if (fault === 'the answer is lost') await append(request);
        throw new StoreError('The disk is full');
      };
      const { runId, status } = await engine.runs.start({ workflowId: 'outer', sync: true });
      expect(status).toBe('paused');
      const outer = { workflowId: 'outer', runId };
      expect(await engine.gates.open(outer)).toMatchObject([{ unitId: 'gate' }]);
      const { messages } = await engine.runs.messages(outer);
      expect(messages.filter(({ type }) => type === 'child-started')).toHaveLength(1);
      const done = await engine.gates.respond({ ...outer, approved: true, responder: 'ann' });
      expect(done.status).toBe('completed');
    },
  );
});

describe('a family whose process dies at any moment', () => {
  const tree = [
    inSequence('leaf', [{ id: 'work', uses: 'work', with: { n: '${{ input.n }}' } }]),
    workflowYaml('branch', {
      units: [{ ...child('one', 'leaf'), with: { n: '${{ input.n * 10 + index }}' } }],
      flow: { type: 'foreach', items: '[0, 1, 2]', do: 'one', collect: 'found' },
    }),
    workflowYaml('root', {
      units: [{ ...child('one', 'branch'), with: { n: '${{ index }}' } }],
      flow: { type: 'foreach', items: '[0, 1, 2]', do: 'one', collect: 'found' },
    }),
  ];
  const work = async ({ input }: { input: unknown }) => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    return (input as { n: number }).n;
  };

  it('ends correctly though one process after the other dies', async () => {
    let folder = engines.folder();
    const first = await engines.open(folder, { work }, { clock: systemClock });
    for (const yaml of tree) await first.engine.workflows.register({ yaml });
    const { runId } = await first.engine.runs.start({ workflowId: 'root' });
    const address = { workflowId: 'root', runId };
    let last = first.engine;
    for (let death = 0; death < 8; death++) {
      await new Promise((resolve) => setTimeout(resolve, 10 + 7 * death));
      folder = engines.afterCrash(folder);
      last = (await engines.open(folder, { work }, { clock: systemClock })).engine;
    }
    await becomes(last, address, 'completed');
    const { result } = await last.runs.get(address);
    expect(leavesOf(result?.state)).toEqual([0, 1, 2, 10, 11, 12, 20, 21, 22]);
    // Every child was begun once, however often its start was tried.
    const begun = result?.messages.filter(({ type }) => type === 'child-started');
    expect(begun).toHaveLength(3);
  }, 60_000);

  it('ends correctly in the next one', async () => {
    const folder = engines.folder();
    const first = await engines.open(folder, { work }, { clock: systemClock });
    for (const yaml of tree) await first.engine.workflows.register({ yaml });
    const running = first.engine.runs.start({ workflowId: 'root', sync: true });
    const copies: string[] = [];
    await until(() => first.store.asked.length > 2, 'the first appends are made');
    const state = { isOver: false };
    void running.then(() => (state.isOver = true));
    while (!state.isOver) {
      copies.push(engines.afterCrash(folder));
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
    const { runId, result } = await running;
    const expected = leavesOf(result?.state);
    expect(expected).toEqual([0, 1, 2, 10, 11, 12, 20, 21, 22]);
    const address = { workflowId: 'root', runId };
    // A boot takes time, so only some of the moments are tested, the first and the last among them.
    const step = Math.max(1, Math.floor(copies.length / 10));
    for (const copy of copies.filter((_, index) => index % step === 0)) {
      const { engine } = await engines.open(copy, { work }, { clock: systemClock });
      const known = await engine.runs.get(address).catch(() => null);
      if (known !== null) {
        await becomes(engine, address, 'completed');
        expect(leavesOf((await engine.runs.get(address)).result?.state)).toEqual(expected);
      }
      await engine.close();
    }
    expect(copies.length).toBeGreaterThan(3);
  }, 60_000);
});

/** The outcomes of the leaves, from the state of the root. */
function leavesOf(state: unknown): readonly number[] {
  const found = (value: unknown): readonly Record<string, unknown>[] =>
    (value as { found?: readonly Record<string, unknown>[] } | undefined)?.found ?? [];
  return found(state).flatMap((branch) => found(branch).map((leaf) => leaf['output.work'] as number));
}
