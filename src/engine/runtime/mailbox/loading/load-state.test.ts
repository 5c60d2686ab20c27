import { jest } from '@jest/globals';
import { workflowYaml } from '../../../../../test/support/engine.js';
import { compileText, SimulatedRun } from '../../../../../test/support/simulated-run.js';
import type { StoredState } from '../../../ports/store/append.js';
import type { RunStore } from '../../../ports/store/run-store.js';
import { foldLog } from '../../../core/fold-log.js';
import { encodeState } from '../../../core/state/codec/state-codec.js';
import { INITIAL_STATE, STATE_VERSION } from '../../../core/state/state.js';
import { rowOf } from '../appending/append-request.js';
import { loadState, type Loading } from './load-state.js';
import { SliceScheduler } from '../slice-scheduler.js';

const count = { id: 'count', uses: 'builtin.set', config: { values: { n: '${{ iteration }}' } } };
const flow = { type: 'loop', unit: 'count', maxIterations: 4_000, until: 'false' };
const run = new SimulatedRun(compileText(workflowYaml('w', { units: [count], flow })));
const AT = 6_000;
const marked: unknown[] = [];

/** A store that kept a state after event 6,000 of a longer log; `ends`: the log is lost after this many events. */
function storeOf(stateVersion: number, ends = Infinity): Loading {
  const state = encodeState(foldLog(INITIAL_STATE, run.log.slice(0, AT)));
  const storedState: StoredState = { seq: AT, stateVersion, state };
  const store: Partial<RunStore> = {
    load: async () => ({ row: rowOf(run.state), storedState, events: run.log.slice(AT) }),
    markAtRisk: (mark) => void marked.push(mark),
    readEvents: async ({ afterSeq, limit }) => run.log.slice(0, ends).slice(afterSeq, afterSeq + limit),
  };
  return { store: store as RunStore, slices: new SliceScheduler() };
}

describe('the state of a run that is loaded', () => {
  it('is folded onto the one that was stored', async () => {
    const loaded = await loadState(storeOf(STATE_VERSION), { runId: 'run', atSeq: null });
    expect(loaded).toMatchObject({ events: [] });
    expect(loaded?.storedLogChars).toBe(foldLog(INITIAL_STATE, run.log.slice(0, AT)).logChars);
    expect(encodeState(loaded!.state)).toEqual(encodeState(run.state));
  });

  it('is folded from all of the log, page by page, where the stored one is of another version', async () => {
    expect(run.log.length).toBeGreaterThan(AT + 1_000);
    const loading = storeOf(STATE_VERSION - 1);
    const turns = jest.spyOn(loading.slices, 'take');
    const loaded = await loadState(loading, { runId: 'run', atSeq: null });
    expect(loaded).toMatchObject({ storedLogChars: 0, sourceChars: 0, events: [] });
    expect(encodeState(loaded!.state)).toEqual(encodeState(run.state));
    expect(turns).toHaveBeenCalledTimes(Math.ceil(run.log.length / 1_000));
    // For the next start, in case loading kills the process.
    const at = { runId: 'run', doing: 'load' };
    expect(marked).toEqual([
      { ...at, lastSeq: run.log.length },
      { ...at, lastSeq: null },
    ]);
  });

  it('is folded once it is recorded that the process may die of it, where that takes the store a while', async () => {
    const loading = storeOf(STATE_VERSION - 1);
    const { promise, resolve } = Promise.withResolvers<void>();
    loading.store.markAtRisk = ({ lastSeq }) => (lastSeq === null ? undefined : promise);
    const turns = jest.spyOn(loading.slices, 'take');
    const loaded = loadState(loading, { runId: 'run', atSeq: null });
    await new Promise((later) => setImmediate(later));
    expect(turns).not.toHaveBeenCalled();
    resolve();
    expect((await loaded)?.state.seq).toBe(run.log.length);
  });

  it('comes with its events where these are few, up to the requested one', async () => {
    const store: Partial<RunStore> = {
      load: async ({ atSeq }) => ({
        row: rowOf(run.state),
        storedState: null,
        events: run.log.slice(0, Math.min(atSeq ?? Infinity, 700)),
      }),
      markAtRisk: (mark) => void marked.push(mark),
      readEvents: async ({ afterSeq, limit }) => run.log.slice(afterSeq, afterSeq + limit),
    };
    const loading = { store: store as RunStore, slices: new SliceScheduler() };
    const loaded = await loadState(loading, { runId: 'run', atSeq: 1_500 });
    expect(loaded?.events).toEqual(run.log.slice(0, 1_500));
    expect(loaded?.state.seq).toBe(1_500);
    expect((await loadState(loading, { runId: 'run', atSeq: null }))?.events).toEqual([]);
  });

  it('cannot be loaded from a log of which a part is gone', async () => {
    await expect(loadState(storeOf(STATE_VERSION - 1, 5_500), { runId: 'run', atSeq: null })).rejects.toThrow(
      `ends before event ${run.log.length}`,
    );
  });
});
