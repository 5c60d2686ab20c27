import { ANN, compileText, SimulatedRun } from '../../../../test/support/simulated-run.js';
import { workflowYaml } from '../../../../test/support/engine.js';
import { ENGINE_ACTOR } from '../../core/log/actor.js';
import type { Signal } from '../../core/signal.js';
import { openPausesOf } from '../../core/waits/pause.js';
import { ManualClock } from '../../testing/manual-clock.js';
import type { InboxMessage } from './inbox/inbox-message.js';
import { UndecidedOutcomes } from './undecided-outcomes.js';

const units = ['a', 'b'].map((id) => ({ id, uses: 'work' }));
const plan = compileText(workflowYaml('w', { units, flow: { type: 'parallel', units: ['a', 'b'] } }));

/** Two units, of which the first `count` are frozen by a pause each, and the outcomes to keep for them. */
function frozen(count: 1 | 2 = 1) {
  const run = new SimulatedRun(plan);
  const executions = run.log.filter(({ type }) => type === 'unit-scheduled').map(({ seq }) => seq);
  for (const executionId of executions.slice(0, count))
    run.send({ type: 'undecided', at: 1_000, executionId, error: 'a fault' });
  const clock = new ManualClock();
  const posted: InboxMessage[] = [];
  const answers = new UndecidedOutcomes(clock, (message) => posted.push(message));
  const answerOf = (executionId: number) => ({
    type: 'unit-finished' as const,
    at: 1_000,
    executionId,
    attempt: 1,
    output: executionId,
    patch: null,
    usage: null,
    metadata: null,
  });
  const keep = (executionId: number) => answers.keep(executionId, answerOf(executionId), () => run.state);
  const resume = (pauseId: number | null): Signal => ({ type: 'resume', at: 2_000, pauseId, by: ANN });
  const mailOf = (...signals: readonly Signal[]): InboxMessage => ({
    signals,
    key: null,
    isKept: false,
    replies: [],
  });
  return { run, clock, posted, answers, executions, answerOf, keep, resume, mailOf };
}

describe('an outcome that could not be decided', () => {
  it('is tried again after a second, by a resume of the pause that freezes its execution', async () => {
    const { run, clock, posted, keep, executions } = frozen(2);
    keep(executions[1]!);
    await clock.advance(999);
    expect(posted).toEqual([]);
    await clock.advance(1);
    const [, second] = openPausesOf(run.state);
    expect(posted).toEqual([
      {
        signals: [{ type: 'resume', at: clock.now(), pauseId: second, by: ENGINE_ACTOR }],
        key: null,
        isKept: false,
        replies: [],
      },
    ]);
    await clock.advance(3_600_000);
    expect(posted).toHaveLength(1);
  });

  it('is tried again twelve times, with waits that double up to five minutes, and then a resume has to', async () => {
    const { clock, posted, keep, executions } = frozen();
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 12; attempt += 1) {
      const since = clock.now();
      keep(executions[0]!);
      while (posted.length < attempt) await clock.advance(1_000);
      waits.push((clock.now() - since) / 1_000);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
    keep(executions[0]!);
    expect(clock.scheduled).toBe(0);
  });

  it('has one retry scheduled, however often it is kept again', async () => {
    const { clock, posted, keep, executions } = frozen();
    keep(executions[0]!);
    keep(executions[0]!);
    expect(clock.scheduled).toBe(1);
    await clock.advance(1_999);
    expect(posted).toEqual([]);
    await clock.advance(1);
    expect(posted).toHaveLength(1);
  });

  it('is forgotten when its execution is not frozen any more by the time of its next retry', async () => {
    const { run, clock, posted, keep, answers, executions, resume } = frozen();
    keep(executions[0]!);
    run.send(resume(openPausesOf(run.state)[0]!));
    await clock.advance(1_000);
    expect(posted).toEqual([]);
    expect([answers.size, answers.has(executions[0]!)]).toEqual([0, false]);
  });

  it('goes with the resume that releases it, right after it, and with no other', () => {
    const { run, keep, answers, executions, answerOf, resume, mailOf } = frozen(2);
    keep(executions[0]!);
    expect([answers.size, answers.has(executions[0]!), answers.has(executions[1]!)]).toEqual([
      1,
      true,
      false,
    ]);
    const [first, second] = openPausesOf(run.state);
    const others = mailOf({ type: 'timer-due', at: 1 }, resume(second!), resume(null), resume(99));
    expect(answers.withOutcomes(others, run.state)).toBe(others);
    const both = mailOf(resume(second!), resume(first!), { type: 'timer-due', at: 1 });
    expect(answers.withOutcomes(both, run.state)).toEqual({
      ...both,
      signals: [resume(second!), resume(first!), answerOf(executions[0]!), { type: 'timer-due', at: 1 }],
    });
  });

  it('changes no message once there is none', () => {
    const { run, answers, resume, mailOf } = frozen();
    const message = mailOf(resume(openPausesOf(run.state)[0]!));
    expect(answers.withOutcomes(message, run.state)).toBe(message);
  });

  it('is not retried once it was decided; the others are', async () => {
    const { clock, posted, keep, answers, executions, answerOf } = frozen(2);
    for (const id of executions) keep(id);
    answers.settle([{ type: 'timer-due', at: 1 }, answerOf(executions[0]!)]);
    expect(executions.map((id) => answers.has(id))).toEqual([false, true]);
    expect(clock.scheduled).toBe(1);
    answers.settle([answerOf(99), { type: 'undecided', at: 1, executionId: null, error: 'x' }]);
    expect(answers.size).toBe(1);
    await clock.advance(1_000);
    expect(posted).toHaveLength(1);
  });

  it('is not retried in a process that the run has left', async () => {
    const { clock, posted, keep, answers, executions } = frozen(2);
    for (const id of executions) keep(id);
    answers.stop();
    expect([answers.size, clock.scheduled]).toEqual([0, 0]);
    await clock.advance(1_000);
    expect(posted).toEqual([]);
  });

  it('of an execution that is frozen by a pause with another reason does not go with that resume', () => {
    const run = new SimulatedRun(
      compileText(
        workflowYaml('w', {
          units: [{ id: 'a', uses: 'work', pause: 'before' }],
          flow: { type: 'sequential' },
        }),
      ),
    );
    const answers = new UndecidedOutcomes(new ManualClock(), () => undefined);
    answers.keep(99, frozen().answerOf(99), () => run.state);
    const [pauseId] = openPausesOf(run.state);
    const message: InboxMessage = {
      signals: [{ type: 'resume', at: 1, pauseId: pauseId!, by: ANN }],
      key: null,
      isKept: false,
      replies: [],
    };
    expect(answers.withOutcomes(message, run.state)).toBe(message);
  });
});
