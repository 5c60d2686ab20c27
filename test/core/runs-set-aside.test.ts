import { foldLog } from '../../src/engine/core/fold-log.js';
import { stampEvent } from '../../src/engine/core/log/event-kinds.js';
import { pending, pendingAfter } from '../../src/engine/core/pending.js';
import { nextWakeUp } from '../../src/engine/core/next-wake-up.js';
import { decodeState, encodeState } from '../../src/engine/core/state/codec/state-codec.js';
import { INITIAL_STATE } from '../../src/engine/core/state/state.js';
import { openExecutionsOf, statusOf, wakeAtOf } from '../../src/engine/core/state/status.js';
import { openPausesOf } from '../../src/engine/core/waits/pause.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';
import { document } from '../support/workflow-documents.js';

const unit = (id: string) => ({ id, uses: 'work' });
const wait = { id: 'waits', uses: 'builtin.approval', config: { title: 'May it?' } };

/** The pause that the next start appends after the process died in the run three times: only the run's row was read. */
function setAside(run: SimulatedRun): void {
  const paused = {
    type: 'paused',
    path: '',
    scope: '',
    unitId: '',
    reason: 'crash-limit',
    executionId: null,
    error: 'It died: resume it.',
  } as const;
  run.log.push(stampEvent({ ...paused }, run.state.seq + 1, 5_000));
  run.state = foldLog(INITIAL_STATE, run.log);
}

function inParallel(): SimulatedRun {
  const flow = { type: 'parallel', units: ['a', 'b', 'waits'] };
  const policy = { timeout: { workflowMs: 60_000 } };
  return new SimulatedRun(compileText(document('w', [unit('a'), unit('b'), wait], { flow, policy })));
}

const calledOf = (commands: ReturnType<typeof pending>): readonly string[] =>
  commands.flatMap((command) => (command.type === 'execute-unit' ? [command.execution.unitId] : []));

describe('a run that was suspended with units in flight and an open gate', () => {
  it('is paused, has nothing to call and no wake-up: what its row says without reading it', () => {
    const run = inParallel();
    expect([statusOf(run.state), openExecutionsOf(run.state)]).toEqual(['running', 2]);
    setAside(run);
    for (const state of [run.state, decodeState(encodeState(run.state))]) {
      expect(statusOf(state)).toBe('paused');
      expect([openExecutionsOf(state), wakeAtOf(state), nextWakeUp(state, 5_000)]).toEqual([0, null, null]);
      expect(pending(state)).toEqual([{ type: 'await-resume', pauseId: state.seq }]);
    }
  });

  it('requires all that is open once it is resumed, and nothing before, whatever is decided', () => {
    const run = inParallel();
    setAside(run);
    const gateId = run.log.find(({ type }) => type === 'gate-opened')!.seq;
    const decided = run.send({
      type: 'decision',
      at: 6_000,
      gateId,
      approved: true,
      responder: 'ann',
      by: ANN,
      comment: null,
    });
    expect(pendingAfter(run.state, decided).commands).toEqual([]);
    const resumed = run.send({ type: 'resume', at: 7_000, pauseId: openPausesOf(run.state)[0]!, by: ANN });
    expect(resumed[0]).toMatchObject({ type: 'resumed', wasAside: true });
    expect(calledOf(pendingAfter(run.state, resumed).commands)).toEqual(['a', 'b']);
    expect(run.finish(() => 0).status).toBe('completed');
  });

  it('does not use up its time meanwhile', () => {
    const run = inParallel();
    setAside(run);
    run.send({ type: 'timer-due', at: 500_000 });
    expect(statusOf(run.state)).toBe('paused');
    run.send({ type: 'resume', at: 500_000, pauseId: openPausesOf(run.state)[0]!, by: ANN });
    expect(statusOf(run.state)).toBe('running');
  });

  it('can be taken back to an earlier checkpoint', () => {
    const run = new SimulatedRun(compileText(document('w', [unit('a'), unit('b')])));
    const [first] = pending(run.state);
    run.answer(first!);
    const checkpoint = run.state.checkpoint;
    setAside(run);
    run.rewind(checkpoint);
    expect(calledOf(pending(run.state))).toEqual(['b']);
  });
});
