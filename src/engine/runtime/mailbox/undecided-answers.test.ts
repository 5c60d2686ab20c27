import { ANN, compileText, SimulatedRun } from '../../../../test/support/simulated-run.js';
import { workflowYaml } from '../../../../test/support/engine.js';
import { ENGINE_ACTOR } from '../../core/log/actor.js';
import type { Signal } from '../../core/signal.js';
import { openPausesOf } from '../../core/waits/pause.js';
import { ManualClock } from '../../testing/manual-clock.js';
import type { Mail } from './mail.js';
import { UndecidedAnswers } from './undecided-answers.js';

const units = ['a', 'b'].map((id) => ({ id, uses: 'work' }));
const plan = compileText(workflowYaml('w', { units, flow: { type: 'parallel', units: ['a', 'b'] } }));

/** The answer of the unit that a pause holds back; and another one beside it, held or not. */
function held(count: 1 | 2 = 1) {
  const run = new SimulatedRun(plan);
  const executions = run.log.filter(({ type }) => type === 'unit-scheduled').map(({ seq }) => seq);
  for (const executionId of executions.slice(0, count))
    run.send({ type: 'undecided', at: 1_000, executionId, error: 'a fault' });
  const clock = new ManualClock();
  const posted: Mail[] = [];
  const answers = new UndecidedAnswers(clock, (mail) => posted.push(mail));
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
  const mailOf = (...signals: readonly Signal[]): Mail => ({
    signals,
    key: null,
    isKept: false,
    replies: [],
  });
  return { run, clock, posted, answers, executions, answerOf, keep, resume, mailOf };
}

describe('an answer on which no decision could be made', () => {
  it('is tried again after a second, by a resume of the pause that holds it', async () => {
    const { run, clock, posted, keep, executions } = held(2);
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
    const { clock, posted, keep, executions } = held();
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

  it('has one attempt before it, however often it is kept anew', async () => {
    const { clock, posted, keep, executions } = held();
    keep(executions[0]!);
    keep(executions[0]!);
    expect(clock.scheduled).toBe(1);
    await clock.advance(1_999);
    expect(posted).toEqual([]);
    await clock.advance(1);
    expect(posted).toHaveLength(1);
  });

  it('is forgotten when nothing holds it any more by the time of its next attempt', async () => {
    const { run, clock, posted, keep, answers, executions, resume } = held();
    keep(executions[0]!);
    run.send(resume(openPausesOf(run.state)[0]!));
    await clock.advance(1_000);
    expect(posted).toEqual([]);
    expect([answers.size, answers.has(executions[0]!)]).toEqual([0, false]);
  });

  it('goes with the resume that lets it go, right behind it, and with no other', () => {
    const { run, keep, answers, executions, answerOf, resume, mailOf } = held(2);
    keep(executions[0]!);
    expect([answers.size, answers.has(executions[0]!), answers.has(executions[1]!)]).toEqual([
      1,
      true,
      false,
    ]);
    const [first, second] = openPausesOf(run.state);
    const others = mailOf({ type: 'timer-due', at: 1 }, resume(second!), resume(null), resume(99));
    expect(answers.withAnswers(others, run.state)).toBe(others);
    const both = mailOf(resume(second!), resume(first!), { type: 'timer-due', at: 1 });
    expect(answers.withAnswers(both, run.state)).toEqual({
      ...both,
      signals: [resume(second!), resume(first!), answerOf(executions[0]!), { type: 'timer-due', at: 1 }],
    });
  });

  it('changes no mail once there is none', () => {
    const { run, answers, resume, mailOf } = held();
    const mail = mailOf(resume(openPausesOf(run.state)[0]!));
    expect(answers.withAnswers(mail, run.state)).toBe(mail);
  });

  it('is tried no more once it was decided upon; the others are', async () => {
    const { clock, posted, keep, answers, executions, answerOf } = held(2);
    for (const id of executions) keep(id);
    answers.settle([{ type: 'timer-due', at: 1 }, answerOf(executions[0]!)]);
    expect(executions.map((id) => answers.has(id))).toEqual([false, true]);
    expect(clock.scheduled).toBe(1);
    answers.settle([answerOf(99), { type: 'undecided', at: 1, executionId: null, error: 'x' }]);
    expect(answers.size).toBe(1);
    await clock.advance(1_000);
    expect(posted).toHaveLength(1);
  });

  it('is tried no more in a process that the run has left', async () => {
    const { clock, posted, keep, answers, executions } = held(2);
    for (const id of executions) keep(id);
    answers.stop();
    expect([answers.size, clock.scheduled]).toEqual([0, 0]);
    await clock.advance(1_000);
    expect(posted).toEqual([]);
  });

  it('of an execution that a pause of another reason holds does not go with that resume', () => {
    const run = new SimulatedRun(
      compileText(
        workflowYaml('w', {
          units: [{ id: 'a', uses: 'work', pause: 'before' }],
          flow: { type: 'sequential' },
        }),
      ),
    );
    const answers = new UndecidedAnswers(new ManualClock(), () => undefined);
    answers.keep(99, held().answerOf(99), () => run.state);
    const [pauseId] = openPausesOf(run.state);
    const mail: Mail = {
      signals: [{ type: 'resume', at: 1, pauseId: pauseId!, by: ANN }],
      key: null,
      isKept: false,
      replies: [],
    };
    expect(answers.withAnswers(mail, run.state)).toBe(mail);
  });
});
