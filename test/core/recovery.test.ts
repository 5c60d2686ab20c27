import { foldLog } from '../../src/engine/core/fold-log.js';
import { messagesOf } from '../../src/engine/core/log/messages.js';
import { pending } from '../../src/engine/core/pending.js';
import { INITIAL_STATE } from '../../src/engine/core/state/state.js';
import { statusOf } from '../../src/engine/core/state/status.js';
import { executionOf } from '../../src/engine/core/waits/execution.js';
import { openPausesOf } from '../../src/engine/core/waits/pause.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';
import { document } from '../support/workflow-documents.js';

const work = (id: string) => ({ id, uses: 'work' });

function twoAtOnce(): { readonly run: SimulatedRun; readonly a: number; readonly b: number } {
  const text = document('w', [work('a'), work('b')], { flow: { type: 'parallel', units: ['a', 'b'] } });
  const run = new SimulatedRun(compileText(text));
  const [a, b] = run.log.filter(({ type }) => type === 'unit-scheduled').map(({ seq }) => seq);
  return { run, a: a!, b: b! };
}

function recover(run: SimulatedRun, ...begun: readonly { executionId: number; attempt: number }[]) {
  return run.send({ type: 'recover', at: 2_000, begun });
}

const recoveriesOf = (run: SimulatedRun, ...ids: readonly number[]) =>
  ids.map((id) => executionOf(run.state, id)?.recoveries);

describe('a run that is taken over from a process that died', () => {
  it('counts the executions that were being called, and no others', () => {
    const { run, a, b } = twoAtOnce();
    expect(recover(run, { executionId: b, attempt: 1 })).toMatchObject([
      { type: 'recovered', executionIds: [b] },
    ]);
    expect(recoveriesOf(run, a, b)).toEqual([0, 1]);
  });

  it('counts nothing when none was, when the attempt is another, or the execution none of its own', () => {
    const { run, a } = twoAtOnce();
    expect(recover(run)).toEqual([]);
    expect(recover(run, { executionId: a, attempt: 2 }, { executionId: 99, attempt: 1 })).toEqual([]);
    expect(recover(run, { executionId: 1, attempt: 1 })).toEqual([]);
  });

  it('counts an execution once, and lists several by their age', () => {
    const { run, a, b } = twoAtOnce();
    const begun = [b, a, b].map((executionId) => ({ executionId, attempt: 1 }));
    expect(recover(run, ...begun)).toMatchObject([{ executionIds: [a, b] }]);
    expect(recoveriesOf(run, a, b)).toEqual([1, 1]);
  });

  it('is paused by the third crash under one unit, which is named, and whose neighbour continues', () => {
    const { run, a, b } = twoAtOnce();
    const begun = { executionId: a, attempt: 1 };
    recover(run, begun);
    recover(run, begun, { executionId: b, attempt: 1 });
    const [, paused] = recover(run, begun);
    expect(paused).toMatchObject({ type: 'paused', reason: 'recovery-limit', executionId: a, unitId: 'a' });
    expect(messagesOf('run', paused!)[0]).toMatchObject({
      type: 'run-paused',
      error:
        'Unit a was being called each of the last 3 times that the process died: ' +
        'see whether it is the cause, then resume the run to call it again.',
    });
    expect(pending(run.state).map(({ type }) => type)).toEqual(['execute-unit', 'await-resume']);
    expect(recover(run, begun)).toEqual([]);
  });

  it('calls the unit again after a resume, and counts anew', () => {
    const { run, a } = twoAtOnce();
    const begun = { executionId: a, attempt: 1 };
    for (let deaths = 0; deaths < 3; deaths++) recover(run, begun);
    const [pauseId] = openPausesOf(run.state);
    run.send({ type: 'resume', at: 3_000, pauseId: pauseId!, by: ANN });
    expect(pending(run.state).filter(({ type }) => type === 'execute-unit')).toHaveLength(2);
    expect(recover(run, begun)).toMatchObject([{ type: 'recovered' }]);
    expect(recoveriesOf(run, a)).toEqual([1]);
  });

  it('continues where the log stopped, whether anything was being called or not', () => {
    const run = new SimulatedRun(compileText(document('w', [work('a'), work('b')])));
    run.answer(pending(run.state)[0]!);
    // The process died between the outcome and what follows from it.
    run.log = run.log.slice(0, -1);
    run.state = foldLog(INITIAL_STATE, run.log);
    expect(recover(run)).toMatchObject([{ type: 'unit-scheduled', unitId: 'b' }]);
    expect(statusOf(run.state)).toBe('running');
  });
});
