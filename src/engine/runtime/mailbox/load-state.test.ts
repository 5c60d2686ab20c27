import { workflowYaml } from '../../../../test/support/engine.js';
import { compileText, SimulatedRun } from '../../../../test/support/simulated-run.js';
import type { RunStore, StoredState } from '../../ports/run-store.js';
import { foldLog } from '../../core/fold-log.js';
import { encodeState } from '../../core/state/state-codec.js';
import { INITIAL_STATE, STATE_VERSION } from '../../core/state/state.js';
import { rowOf } from './append-request.js';
import { loadState } from './load-state.js';

const count = { id: 'count', uses: 'builtin.set', config: { values: { n: '${{ iteration }}' } } };
const flow = { type: 'loop', unit: 'count', maxIterations: 4_000, until: 'false' };
const run = new SimulatedRun(compileText(workflowYaml('w', { units: [count], flow })));
const AT = 6_000;

/** A store that kept a state after event 6,000 of a longer log; `ends`: after so many events its log is gone. */
function storeOf(stateVersion: number, ends = Infinity): RunStore {
  const state = encodeState(foldLog(INITIAL_STATE, run.log.slice(0, AT)));
  const storedState: StoredState = { seq: AT, stateVersion, state };
  const store: Partial<RunStore> = {
    load: async () => ({ row: rowOf(run.state), storedState, events: run.log.slice(AT), chars: 0 }),
    readEvents: async ({ afterSeq, limit }) => run.log.slice(0, ends).slice(afterSeq, afterSeq + limit),
  };
  return store as RunStore;
}

describe('the state of a run that is loaded', () => {
  it('is folded onto the one that was stored', async () => {
    const loaded = await loadState(storeOf(STATE_VERSION), { runId: 'run', atSeq: null });
    expect(loaded).toMatchObject({ storedSeq: AT });
    expect(loaded?.events).toEqual(run.log.slice(AT));
    expect(encodeState(loaded!.state)).toEqual(encodeState(run.state));
  });

  it('is folded from all of the log, each event once, where the stored one is of another version', async () => {
    expect(run.log.length).toBeGreaterThan(AT + 1_000);
    const loaded = await loadState(storeOf(STATE_VERSION - 1), { runId: 'run', atSeq: null });
    expect(loaded).toMatchObject({ storedSeq: 0 });
    expect(loaded?.events).toEqual(run.log);
    expect(encodeState(loaded!.state)).toEqual(encodeState(run.state));
  });

  it('cannot be had from a log of which a part is gone', async () => {
    await expect(loadState(storeOf(STATE_VERSION - 1, 5_500), { runId: 'run', atSeq: null })).rejects.toThrow(
      'ends before event 6000',
    );
  });
});
