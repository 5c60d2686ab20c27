import type { RunEvent } from '../../src/engine/core/log/event.js';
import { decodeEvents } from '../../src/engine/core/log/event-codec.js';
import type { AppendRequest } from '../../src/engine/ports/store/append.js';
import type { UnitHandler } from '../../src/engine/index.js';
import { aWhile, DurableEngines, type DurableEngine } from '../support/durability-engine.js';
import { until } from '../support/eventually.js';
import { SteeredStore } from '../support/durability-store.js';
import { inSequence, workflowYaml } from '../support/engine.js';

const engines = new DurableEngines();
afterEach(() => engines.clear());

const one = (more: object = {}) => inSequence('w', [{ id: 'work', uses: 'work' }], more);
const forEver = (): Promise<never> => new Promise(() => undefined);

/** A unit that records its calls and returns what the test says. */
function unit(answer: () => unknown): { readonly work: UnitHandler; readonly keys: string[] } {
  const keys: string[] = [];
  const work: UnitHandler = (_request, { idempotencyKey }) => {
    keys.push(idempotencyKey);
    return answer();
  };
  return { work, keys };
}

/** A run whose only unit is in flight, and the folder as the end of its process leaves it. */
async function cutInFlight(): Promise<{
  readonly folder: string;
  readonly runId: string;
  readonly key: string;
}> {
  const { work, keys } = unit(forEver);
  const folder = engines.folder();
  const { engine } = await engines.open(folder, { work });
  await engine.workflows.register({ yaml: one() });
  const { runId } = await engine.runs.start({ workflowId: 'w' });
  await until(() => keys.length === 1, 'the unit is called');
  return { folder: engines.afterCrash(folder), runId, key: keys[0]! };
}

async function logOf({ store }: DurableEngine, runId: string): Promise<readonly RunEvent[]> {
  return decodeEvents(await store.readEvents({ runId, afterSeq: 0, limit: 1_000 }), runId);
}

const typesOf = (log: readonly RunEvent[]): readonly string[] => log.map(({ type }) => type);

class LoadCountingStore extends SteeredStore {
  readonly loaded: string[] = [];

  override load(request: Parameters<SteeredStore['load']>[0]): ReturnType<SteeredStore['load']> {
    this.loaded.push(request.runId);
    return super.load(request);
  }
}

describe('a start after a power cut', () => {
  it('calls what was in flight again under the same key, and says so in the log', async () => {
    const { folder, runId, key } = await cutInFlight();
    const { work, keys } = unit(() => 'done');
    const opened = await engines.open(folder, { work });
    await until(
      async () => (await opened.engine.runs.get({ workflowId: 'w', runId })).status === 'completed',
      'the run completes',
    );
    expect(keys).toEqual([key]);
    const log = await logOf(opened, runId);
    expect(typesOf(log)).toEqual([
      'run-started',
      'unit-scheduled',
      'recovered',
      'unit-finished',
      'run-completed',
    ]);
    expect(log[2]).toMatchObject({ executionIds: [log[1]!.seq] });
  });

  it('relies on open executions and wakeAt, whatever the status says', async () => {
    const { work, keys } = unit(forEver);
    const folder = engines.folder();
    const first = await engines.open(folder, { work });
    await first.engine.workflows.register({ yaml: one() });
    await first.engine.runs.start({ workflowId: 'w' });
    const [started] = first.store.asked;
    const as = (runId: string, row: Partial<AppendRequest['row']>): AppendRequest => ({
      ...started!,
      runId,
      row: { ...started!.row, runId, ...row },
      events: started!.events.map((event) => (event.type === 'run-started' ? { ...event, runId } : event)),
    });
    await first.store.append(as('called-paused', { status: 'paused' }));
    await first.store.append(as('called-pending', { status: 'pending' }));
    await first.store.append(as('called-running', { openExecutions: 0, wakeAt: null }));
    await first.engine.close();
    keys.length = 0;
    const store = new LoadCountingStore(folder);
    await engines.open(folder, { work }, { store });
    await until(() => keys.length === 3, 'all that has open executions is called');
    expect(store.loaded.filter((runId) => runId.startsWith('called')).sort()).toEqual([
      'called-paused',
      'called-pending',
    ]);
  });

  it('pauses a run whose unit was recovered three times, and a resume releases it', async () => {
    const { folder, runId, key } = await cutInFlight();
    const { work, keys } = unit(forEver);
    let left = folder;
    for (let life = 1; life <= 2; life++) {
      await engines.open(left, { work });
      await until(() => keys.length === life, 'the unit is called again');
      left = engines.afterCrash(left);
    }
    const third = await engines.open(left, { work });
    const address = { workflowId: 'w', runId };
    expect((await third.engine.runs.get(address)).status).toBe('paused');
    expect((await logOf(third, runId)).at(-1)).toMatchObject({ type: 'paused', reason: 'recovery-limit' });
    await aWhile();
    expect(keys).toEqual([key, key]);

    const store = new LoadCountingStore(engines.afterCrash(left));
    const { work: mended, keys: called } = unit(() => 'done');
    const fourth = await engines.open('', { work: mended }, { store });
    expect(store.loaded).toEqual([]);
    expect(await fourth.engine.runs.resume(address)).toMatchObject({ status: 'completed' });
    expect(called).toEqual([key]);
  });

  it('counts the recoveries of a unit from zero after a resume', async () => {
    let { folder: left, runId } = await cutInFlight();
    const { work, keys } = unit(forEver);
    for (let life = 1; life <= 3; life++) {
      await engines.open(left, { work });
      await until(() => keys.length >= Math.min(life, 2), 'the unit is called again');
      left = engines.afterCrash(left);
    }
    const held = await engines.open(left, { work }, { resumeWaitMs: 0 });
    void held.engine.runs.resume({ workflowId: 'w', runId });
    await until(() => keys.length === 3, 'the unit is called after the resume');
    const again = await engines.open(engines.afterCrash(left), { work });
    await until(() => keys.length === 4, 'the unit is called once more');
    expect((await again.engine.runs.get({ workflowId: 'w', runId })).status).toBe('running');
  });

  it('keeps the time of a retry, and does not count it as a recovery', async () => {
    const retry = { baseMs: 10_000, backoff: 'fixed', jitter: false };
    const folder = engines.folder();
    const failing = unit(() => {
      throw new Error('broken');
    });
    const first = await engines.open(folder, { work: failing.work });
    await first.engine.workflows.register({ yaml: one({ policy: { retry } }) });
    const { runId } = await first.engine.runs.start({ workflowId: 'w' });
    await until(async () => typesOf(await logOf(first, runId)).includes('unit-attempt-failed'), 'it fails');
    const { work, keys } = unit(() => 'done');
    const now = first.clock.now() + 4_000;
    const second = await engines.open(engines.afterCrash(folder), { work }, { now });
    await second.clock.advance(5_999);
    await aWhile();
    expect(keys).toEqual([]);
    await second.clock.advance(1);
    await until(async () => {
      // A look at what is due may come to its end only now: what it finds is due at once.
      await second.clock.advance(0);
      return (await second.engine.runs.get({ workflowId: 'w', runId })).status === 'completed';
    }, 'the retry succeeds');
    expect(keys).toEqual(failing.keys);
    expect(typesOf(await logOf(second, runId))).not.toContain('recovered');
  });

  it('makes a retry that fell due meanwhile at once', async () => {
    const folder = engines.folder();
    const first = await engines.open(folder, {
      work: () => {
        throw new Error('broken');
      },
    });
    await first.engine.workflows.register({ yaml: one() });
    const { runId } = await first.engine.runs.start({ workflowId: 'w' });
    await until(async () => typesOf(await logOf(first, runId)).includes('unit-attempt-failed'), 'it fails');
    const { work } = unit(() => 'done');
    const now = first.clock.now() + 3_600_000;
    const second = await engines.open(engines.afterCrash(folder), { work }, { now });
    await until(
      async () => (await second.engine.runs.get({ workflowId: 'w', runId })).status === 'completed',
      'the retry succeeds',
    );
  });

  it('continues a turn that was preempted', async () => {
    const folder = engines.folder();
    const { engine, store } = await engines.open(folder);
    const count = { id: 'count', uses: 'builtin.set', config: { values: { count: '${{ iteration }}' } } };
    const flow = { type: 'loop', unit: 'count', maxIterations: 4_000, until: 'false' };
    await engine.workflows.register({ yaml: workflowYaml('long', { units: [count], flow }) });
    const starting = engine.runs.start({ workflowId: 'long', sync: true });
    await until(() => store.asked.length === 1, 'the first part is being stored');
    store.hold();
    await until(() => store.heldBack === 1, 'the second part is held back');
    const second = await engines.open(engines.afterCrash(folder));
    store.release();
    const { runId } = await starting;
    const address = { workflowId: 'long', runId };
    expect((await second.engine.runs.get(address)).status).not.toBe('failed');
    await until(async () => {
      await second.clock.advance(1);
      return (await second.engine.runs.get(address)).status === 'completed';
    }, 'the run completes');
    expect((await second.engine.runs.get(address)).result?.state).toMatchObject({ count: 3_999 });
  });

  it('reads nothing of the runs that wait for people', async () => {
    const folder = engines.folder();
    const first = await engines.open(folder, { work: () => 'done' });
    await first.engine.workflows.register({
      yaml: inSequence('gated', [{ id: 'gate', uses: 'builtin.approval' }]),
    });
    await first.engine.workflows.register({
      yaml: inSequence('held', [{ id: 'work', uses: 'work', pause: 'before' }], {
        policy: { timeout: { workflowMs: 60_000 } },
      }),
    });
    for (const workflowId of ['gated', 'held']) await first.engine.runs.start({ workflowId, sync: true });
    const store = new LoadCountingStore(engines.afterCrash(folder));
    const { clock } = await engines.open('', {}, { store });
    await clock.advance(86_400_000);
    expect(store.loaded).toEqual([]);
  });

  it('fails a run that overran its time while no process was running', async () => {
    const folder = engines.folder();
    const { work, keys } = unit(forEver);
    const first = await engines.open(folder, { work });
    await first.engine.workflows.register({ yaml: one({ policy: { timeout: { workflowMs: 60_000 } } }) });
    const { runId } = await first.engine.runs.start({ workflowId: 'w' });
    await until(() => keys.length === 1, 'the unit is called');
    const now = first.clock.now() + 60_000;
    const second = await engines.open(engines.afterCrash(folder), { work }, { now });
    await until(async () => {
      await second.clock.advance(1);
      return (await second.engine.runs.get({ workflowId: 'w', runId })).status === 'failed';
    }, 'the run fails');
  });

  it('continues once the store accepts writes again, if it did not at the start', async () => {
    const { folder, runId } = await cutInFlight();
    const store = new SteeredStore(folder);
    store.failure = 'nothing is written';
    const { work, keys } = unit(() => 'done');
    const { engine, clock } = await engines.open('', { work }, { store });
    await clock.advance(1_000);
    expect(keys).toEqual([]);
    store.failure = null;
    await until(async () => {
      await clock.advance(1_000);
      return (await engine.runs.get({ workflowId: 'w', runId })).status === 'completed';
    }, 'the run completes');
    expect(keys).toHaveLength(1);
  });
});

describe('a run whose unit is not registered after a start', () => {
  it('waits, says so, uses up no recovery by waiting, and continues once the unit is registered', async () => {
    const { folder, runId, key } = await cutInFlight();
    let left = folder;
    for (let life = 0; life < 4; life++) {
      const { engine, said } = await engines.open(left);
      expect(said).toContainEqual({
        level: 'warn',
        message: 'A run waits for the unit work: register it and the run goes on',
        fields: { runId, uses: 'work' },
      });
      expect((await engine.runs.get({ workflowId: 'w', runId })).status).toBe('running');
      left = engines.afterCrash(left);
    }
    const last = await engines.open(left);
    const { work, keys } = unit(() => 'done');
    last.engine.registerUnit('work', work);
    await until(
      async () => (await last.engine.runs.get({ workflowId: 'w', runId })).status === 'completed',
      'the run completes',
    );
    expect(keys).toEqual([key]);
    expect(typesOf(await logOf(last, runId))).not.toContain('recovered');
  });

  it('is paused all the same when the unit, registered late, keeps ending the process', async () => {
    const { folder, runId } = await cutInFlight();
    const { work, keys } = unit(forEver);
    let left = folder;
    for (let life = 1; life <= 3; life++) {
      const { engine } = await engines.open(left);
      engine.registerUnit('work', work);
      const isPaused = async () => (await engine.runs.get({ workflowId: 'w', runId })).status === 'paused';
      await until(async () => keys.length === life || (await isPaused()), 'the unit is called or held back');
      expect(await isPaused()).toBe(life === 3);
      left = engines.afterCrash(left);
    }
    expect(keys).toHaveLength(2);
  });

  it('continues with the units that are registered', async () => {
    const folder = engines.folder();
    const units = ['here', 'gone'].map((id) => ({ id, uses: id }));
    const first = await engines.open(folder, { here: forEver, gone: forEver });
    await first.engine.workflows.register({
      yaml: workflowYaml('both', { units, flow: { type: 'parallel', units: ['here', 'gone'] } }),
    });
    const { runId } = await first.engine.runs.start({ workflowId: 'both' });
    const second = await engines.open(engines.afterCrash(folder), { here: () => 1 });
    await until(async () => typesOf(await logOf(second, runId)).includes('unit-finished'), 'one unit ends');
    second.engine.registerUnit('gone', () => 2);
    await until(
      async () => (await second.engine.runs.get({ workflowId: 'both', runId })).status === 'completed',
      'the run completes',
    );
  });
});
