import { inSequence, workflowYaml } from '../../../test/support/engine.js';
import { ANN, compileText, SimulatedRun } from '../../../test/support/simulated-run.js';
import type { RunEvent } from '../core/log/event.js';
import type { RunState } from '../core/state/state.js';
import type { EngineLogLevel } from '../ports/logger.js';
import { RecordingLogger } from '../testing/recording-logger.js';
import { SILENT } from './logger.js';
import { RunLogger } from './run-logger.js';

const work = (id: string, more: object = {}) => ({ id, uses: 'work', ...more });
const gate = (id: string) => ({ id, uses: 'builtin.approval' });
const RUN = { runId: 'run', workflowId: 'w' };

/** A run, and what is logged of each of its turns; `hears`: the levels that the logger takes. */
class Logged {
  readonly logger = new RecordingLogger();
  readonly log: RunLogger;
  readonly run: SimulatedRun;

  constructor(yaml: string, hears: readonly EngineLogLevel[] = ['debug', 'info', 'warn', 'error']) {
    this.log = new RunLogger(
      Object.assign(this.logger, { isOn: (level: EngineLogLevel) => hears.includes(level) }),
    );
    this.run = new SimulatedRun(compileText(yaml));
  }

  /** What is logged of these events, with the run as it is. */
  of(events: readonly RunEvent[], state: RunState = this.run.state, before: RunState | null = null) {
    this.logger.said.length = 0;
    this.log.fromEvents(state, events, before);
    return [...this.logger.said];
  }

  send(signal: Parameters<SimulatedRun['send']>[0]) {
    const before = this.run.state;
    const events = this.run.send(signal);
    return this.of(events, this.run.state, before);
  }

  failed(error: string, more: object = {}) {
    const [execution] = this.run.log.filter(({ type }) => type === 'unit-scheduled');
    return this.send({
      type: 'unit-attempt-failed',
      at: 2_000,
      executionId: execution!.seq,
      attempt: 1,
      error,
      retryable: true,
      outcome: 'unknown',
      retryAfterMs: 300,
      ...more,
    });
  }

  finish(unitId: string) {
    const scheduled = this.run.log.findLast(
      (event) => event.type === 'unit-scheduled' && event.unitId === unitId,
    );
    return this.send({
      type: 'unit-finished',
      at: 2_000,
      executionId: scheduled!.seq,
      attempt: 1,
      output: 'x',
      patch: null,
      usage: null,
      metadata: null,
    });
  }
}

const cancel = { type: 'cancel', at: 2_500, by: ANN, graceMs: 0 } as const;
const line = (level: EngineLogLevel, message: string, fields: object = {}) => ({
  level,
  message,
  fields: { ...RUN, ...fields },
});

describe('what is logged of a run', () => {
  it('is that it started, and that it ended, how and after how long', () => {
    const logged = new Logged(inSequence('w', [work('a')]));
    expect(logged.of(logged.run.log)).toEqual([line('info', 'Run started')]);
    expect(logged.send(cancel)).toEqual([
      line('info', 'Run ended', { status: 'cancelled', durationMs: 1_500 }),
    ]);
    const done = new Logged(inSequence('w', [work('a')]));
    expect(done.finish('a')).toEqual([line('info', 'Run ended', { status: 'completed', durationMs: 1_000 })]);
  });

  it('names its namespace unless that is the default one', () => {
    const logged = new Logged(inSequence('w', [work('a')]));
    const other = { ...logged.run.state, namespace: 'acme' };
    expect(logged.of(logged.run.log, other)).toEqual([line('info', 'Run started', { namespace: 'acme' })]);
  });

  it('is every attempt that failed, with when the next one comes', () => {
    const logged = new Logged(inSequence('w', [work('a')]));
    expect(logged.failed('no')).toEqual([
      line('warn', 'Unit failed, it is called again', {
        unitId: 'a',
        attempt: 1,
        retryInMs: 300,
        error: 'no',
      }),
    ]);
  });

  it('is that a unit failed permanently, and then not once more that its run did', () => {
    const logged = new Logged(inSequence('w', [work('a')]));
    const [failure, end, ...more] = logged.failed('no', { retryable: false, outcome: 'refused' });
    expect(failure).toEqual(
      line('warn', 'Unit failed', {
        unitId: 'a',
        attempt: 1,
        outcome: 'refused',
        error: 'Unit a failed after 1 attempt(s): no',
      }),
    );
    expect(end).toMatchObject({ level: 'info', message: 'Run ended', fields: { status: 'failed' } });
    expect(more).toEqual([]);
  });

  it('is why it failed where no unit did', () => {
    const logged = new Logged(inSequence('w', [gate('g')]));
    const [failure, end] = logged.send({
      type: 'decision',
      at: 2_000,
      gateId: 2,
      approved: false,
      responder: 'ann',
      by: ANN,
      comment: null,
    });
    expect(failure).toEqual(line('warn', 'Run failed', { error: 'Rejected by ann at gate g' }));
    expect(end).toMatchObject({ message: 'Run ended', fields: { status: 'failed' } });
  });

  it('holds of an error its first 200 characters', () => {
    const errorOf = (error: string) =>
      new Logged(inSequence('w', [work('a')])).failed(error)[0]!.fields['error'];
    expect(errorOf('x'.repeat(200))).toBe('x'.repeat(200));
    expect(errorOf('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`);
  });
});

describe('what is logged of a run that waits', () => {
  it('is for which gate, or at which unit', () => {
    const gated = new Logged(inSequence('w', [work('a'), gate('g')]));
    expect(gated.finish('a')).toEqual([line('info', 'Run paused', { reason: 'gate', unitId: 'g' })]);
    for (const reason of ['before', 'after']) {
      const first = reason === 'after' ? work('a', { pause: 'after' }) : work('a');
      const second = reason === 'before' ? work('b', { pause: 'before' }) : work('b');
      const logged = new Logged(inSequence('w', [first, second]));
      const unitId = reason === 'after' ? 'a' : 'b';
      expect(logged.finish('a')).toEqual([line('info', 'Run paused', { reason, unitId })]);
    }
  });

  it('is logged when the last of what ran next to it is over, however that ended', () => {
    const units = [gate('g'), work('slow')];
    const flow = { type: 'parallel', units: ['g', 'slow'], failureStrategy: 'best-effort' };
    const yaml = workflowYaml('w', { units, flow });
    const logged = new Logged(yaml);
    expect(logged.of(logged.run.log)).toEqual([line('info', 'Run started')]);
    expect(logged.finish('slow')).toEqual([line('info', 'Run paused', { reason: 'gate' })]);
    const failing = new Logged(yaml);
    const said = failing.failed('no', { retryable: false, outcome: 'refused' });
    expect(said.map(({ message }) => message)).toEqual(['Unit failed', 'Run paused']);
    expect(said[1]).toEqual(line('info', 'Run paused', { reason: 'gate' }));
  });

  it('is not logged again by what does not move it', () => {
    const logged = new Logged(inSequence('w', [gate('g')]));
    expect(logged.send({ type: 'note', at: 2_000, request: 'resume' })).toEqual([]);
  });

  it('is that it needs help, for a fault, with the fault', () => {
    const logged = new Logged(inSequence('w', [work('a')]));
    const { seq } = logged.run.log.find(({ type }) => type === 'unit-scheduled')!;
    expect(logged.send({ type: 'undecided', at: 2_000, executionId: seq, error: 'a fault' })).toEqual([
      line('warn', 'Run needs help', { unitId: 'a', reason: 'undecided', error: 'a fault' }),
      line('info', 'Run paused', { reason: 'undecided', unitId: 'a' }),
    ]);
  });

  it('is that somebody stopped all of it, where that was before', () => {
    const units = [work('a'), work('b')];
    const logged = new Logged(workflowYaml('w', { units, flow: { type: 'parallel', units: ['a', 'b'] } }));
    const stop = { type: 'undecided', at: 2_000, executionId: null, error: 'a fault' } as const;
    expect(logged.send(stop).map(({ message }) => message)).toEqual(['Run needs help']);
    expect(logged.finish('a')).toEqual([]);
    expect(logged.finish('b')).toEqual([line('info', 'Run paused', { reason: 'pause' })]);
  });

  it('is logged too when a timer was the last thing that moved', () => {
    const logged = new Logged(inSequence('w', [gate('g')]));
    const fired = [{ type: 'timer-fired' } as RunEvent];
    expect(logged.of(fired)).toEqual([line('info', 'Run paused', { reason: 'gate' })]);
    const running = new Logged(inSequence('w', [work('a')]));
    expect(running.of(fired)).toEqual([]);
  });
});

describe('levels that a logger does not take', () => {
  const turns = (logged: Logged) => [
    ...logged.of(logged.run.log),
    ...logged.failed('no'),
    ...logged.failed('no', { attempt: 2, retryable: false }),
    ...new Logged(inSequence('w', [gate('g')]), []).of(logged.run.log),
  ];

  it('are not logged: warnings alone, or information alone', () => {
    const yaml = inSequence('w', [work('a')]);
    expect(turns(new Logged(yaml, ['warn'])).map(({ message }) => message)).toEqual([
      'Unit failed, it is called again',
      'Unit failed',
    ]);
    expect(turns(new Logged(yaml, ['info'])).map(({ message }) => message)).toEqual([
      'Run started',
      'Run ended',
    ]);
    expect(turns(new Logged(yaml, []))).toEqual([]);
  });

  it('are not logged of a run that waits, fails or needs help either', () => {
    const gated = new Logged(inSequence('w', [gate('g')]), ['warn']);
    expect(gated.of(gated.run.log)).toEqual([]);
    const rejected = new Logged(inSequence('w', [gate('g')]), ['info']);
    const decision = { type: 'decision', at: 2_000, gateId: 2, approved: false, responder: 'ann' } as const;
    const said = rejected.send({ ...decision, by: ANN, comment: null });
    expect(said.map(({ message }) => message)).toEqual(['Run ended']);
    const faulty = new Logged(inSequence('w', [work('a')]), ['info']);
    const fault = { type: 'undecided', at: 2_000, executionId: null, error: 'a fault' } as const;
    expect(faulty.send(fault)).toEqual([]);
  });

  it('are all of them for the silent logger, and none for one that does not name its levels', () => {
    const run = new SimulatedRun(compileText(inSequence('w', [work('a')])));
    expect(() => new RunLogger(SILENT).fromEvents(run.state, [null as never], null)).not.toThrow();
    const plain = new RecordingLogger();
    new RunLogger(plain).fromEvents(run.state, run.log, null);
    expect(plain.at('info')).toEqual(['Run started']);
  });
});
