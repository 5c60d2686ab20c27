import { foldLog } from '../../src/engine/core/fold-log.js';
import { encodeState } from '../../src/engine/core/state/codec/state-codec.js';
import { INITIAL_STATE } from '../../src/engine/core/state/state.js';
import { compileText, SimulatedRun } from '../support/simulated-run.js';
import { workflowYaml } from '../support/engine.js';

describe('a branch that fails before its first event', () => {
  it('stays closed when the run continues from its log', () => {
    const units = [
      { id: 'a', uses: 'work' },
      { id: 'b', uses: 'builtin.fail', config: { message: 'no' } },
    ];
    const flow = { type: 'parallel', units: ['a', 'b'], failureStrategy: 'best-effort' };
    const plan = compileText(workflowYaml('w', { units, flow }));
    const run = new SimulatedRun(plan);
    run.crash(run.log.length);
    const { status, state } = run.finish(() => 0);
    expect(status).toBe('completed');
    expect(Object.keys(state)).toEqual(['n', 'output.a', 'errors.b']);
    expect(run.log.filter(({ type }) => type === 'branch-closed')).toHaveLength(2);
    expect(encodeState(foldLog(INITIAL_STATE, run.log))).toEqual(encodeState(run.state));
  });
});
