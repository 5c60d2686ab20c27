import type { RunEvent } from '../../src/engine/core/log/event.js';
import { pending } from '../../src/engine/core/pending.js';
import { decodeState, encodeState } from '../../src/engine/core/state/codec/state-codec.js';
import { recordedState } from '../../src/engine/core/state/view/state-view.js';
import { statusOf, wakeAtOf } from '../../src/engine/core/state/status.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';
import { document, gate } from '../support/workflow-documents.js';

const work = (id: string, more: object = {}) => ({
  id,
  uses: 'work',
  policyOverrides: { retry: { maxAttempts: 1 } },
  ...more,
});

/** A run whose units are answered one at a time by the test. */
class Tried {
  readonly run: SimulatedRun;

  constructor(units: readonly object[], flow: object, spec: object = {}) {
    const text = JSON.stringify([flow, spec]);
    const named = units.filter((unit) => text.includes(JSON.stringify((unit as { id: string }).id)));
    this.run = new SimulatedRun(compileText(document('w', named, { flow, ...spec })));
  }

  get called(): readonly string[] {
    return pending(this.run.state).flatMap((command) =>
      command.type === 'execute-unit' ? [command.execution.unitId] : [],
    );
  }

  get status(): string {
    return statusOf(this.run.state);
  }

  get error(): string | null {
    return this.run.state.error;
  }

  get state() {
    return recordedState(this.run.state);
  }

  answer(unitId: string, output: unknown = unitId): this {
    const rest = { output: output as string, patch: null, usage: null, metadata: null };
    this.run.send({ type: 'unit-finished', at: 2_000, ...this.callOf(unitId), ...rest });
    return this.checked();
  }

  fail(unitId: string, error = 'no'): this {
    const rest = { error, retryable: false, outcome: 'refused', retryAfterMs: null } as const;
    this.run.send({ type: 'unit-attempt-failed', at: 2_000, ...this.callOf(unitId), ...rest });
    return this.checked();
  }

  due(at: number): this {
    this.run.send({ type: 'timer-due', at });
    return this.checked();
  }

  cancel(graceMs = 0): this {
    this.run.send({ type: 'cancel', at: 2_000, by: ANN, graceMs });
    return this.checked();
  }

  typesAfter(seq: number): readonly RunEvent['type'][] {
    return this.run.log.slice(seq).map(({ type }) => type);
  }

  input(unitId: string): unknown {
    const scheduled = this.run.log.findLast(
      (event) => event.type === 'unit-scheduled' && event.unitId === unitId,
    );
    return scheduled?.type === 'unit-scheduled' ? scheduled.input : undefined;
  }

  private callOf(unitId: string) {
    for (const command of pending(this.run.state)) {
      if (command.type !== 'execute-unit' || command.execution.unitId !== unitId) continue;
      return { executionId: command.execution.id, attempt: command.execution.attempt };
    }
    throw new Error(`${unitId} is not being called; ${this.called.join()} are.`);
  }

  /** What the log folds to, and what is stored of it, is what the run went on with. */
  private checked(): this {
    const { run } = this;
    expect(encodeState(run.fold())).toEqual(encodeState(run.state));
    expect(encodeState(decodeState(encodeState(run.state)))).toEqual(encodeState(run.state));
    return this;
  }
}

const ERROR = { with: { error: '${{ error }}' } };
const units = [
  work('a'),
  work('b'),
  work('c'),
  work('mend', ERROR),
  work('close', ERROR),
  work('next'),
  work('release'),
];
const seq = (...order: readonly unknown[]) => ({ type: 'sequential', order });
const attempt = (more: object) => ({ type: 'try', ...more });

describe('a try', () => {
  it('goes on after its body where that does not fail, and its finally runs', () => {
    const run = new Tried(
      units,
      seq(attempt({ do: seq('a', 'b'), catch: 'mend', finally: 'close' }), 'next'),
    );
    expect(run.called).toEqual(['a']);
    run.answer('a').answer('b');
    expect([run.called, run.input('close')]).toEqual([['close'], { error: null }]);
    run.answer('close');
    expect(run.called).toEqual(['next']);
    run.answer('next');
    expect([run.status, run.run.state.scopes.get('')?.tries.size]).toEqual(['completed', 0]);
  });

  it('catches what fails, with what was written up to then, and goes on', () => {
    const run = new Tried(
      units,
      seq(attempt({ do: seq('a', 'b'), catch: 'mend', finally: 'close' }), 'next'),
    );
    run.answer('a', 'A').fail('b', 'card declined');
    expect(run.called).toEqual(['mend']);
    const error = {
      code: 'unit',
      unitId: 'b',
      attempts: 1,
      path: '/spec/flow/order/0/do/order/1',
      message: 'Unit b failed after 1 attempt(s): card declined',
    };
    expect(run.input('mend')).toEqual({ error });
    expect(run.state['output.a']).toBe('A');
    run.answer('mend');
    expect(run.input('close')).toEqual({ error });
    run.answer('close').answer('next');
    expect(run.status).toBe('completed');
  });

  it('ignores a failure, passes it on after its catch, or has nothing but a finally', () => {
    const ignoring = new Tried(units, seq(attempt({ do: 'a', ignore: true }), 'next'));
    expect(ignoring.fail('a').called).toEqual(['next']);
    const rethrowing = new Tried(units, seq(attempt({ do: 'a', catch: 'mend', rethrow: true }), 'next'));
    rethrowing.fail('a', 'first').answer('mend');
    expect([rethrowing.status, rethrowing.error]).toEqual([
      'failed',
      'Unit a failed after 1 attempt(s): first',
    ]);
    const closing = new Tried(units, seq(attempt({ do: 'a', finally: 'close' }), 'next'));
    closing.fail('a', 'first');
    expect(closing.called).toEqual(['close']);
    closing.answer('close');
    expect([closing.status, closing.error]).toEqual(['failed', 'Unit a failed after 1 attempt(s): first']);
  });

  it('has a failure of its catch replace the first one, which is its cause', () => {
    const outer = attempt({
      do: attempt({ do: 'a', catch: 'b', finally: 'close' }),
      catch: 'mend',
    });
    const run = new Tried(units, outer);
    run.fail('a', 'first').fail('b', 'second').answer('close');
    expect(run.input('mend')).toMatchObject({
      error: { message: 'Unit b failed after 1 attempt(s): second', cause: { unitId: 'a' } },
    });
  });

  it('has a failure of its finally replace the error, or be one', () => {
    const outer = (inner: object) => attempt({ do: attempt(inner), catch: 'mend' });
    const after = new Tried(units, outer({ do: 'a', finally: 'close' }));
    after.answer('a').fail('close', 'late');
    expect(after.input('mend')).toMatchObject({ error: { unitId: 'close' } });
    const both = new Tried(units, outer({ do: 'a', finally: 'close' }));
    both.fail('a').fail('close', 'late');
    expect(both.input('mend')).toMatchObject({ error: { unitId: 'close', cause: { unitId: 'a' } } });
  });

  it('closes the other branches of what failed inside, and keeps what they wrote', () => {
    const flow = seq(
      attempt({ do: { type: 'parallel', units: [seq('a', 'b'), 'c'] }, catch: 'mend' }),
      'next',
    );
    const run = new Tried(units, flow);
    run.answer('a', 'A').fail('c');
    expect([run.called, run.state['output.a']]).toEqual([['mend'], 'A']);
    run.answer('mend').answer('next');
    expect([run.status, run.run.state.scopes.size, run.run.state.forks.size]).toEqual(['completed', 1, 0]);
  });

  it('first runs each finally that is open in other branches, one after the other, innermost first', () => {
    const branch = (unit: string, closer: string) => attempt({ do: unit, finally: closer });
    const flow = attempt({
      do: {
        type: 'parallel',
        units: [branch('a', 'close'), attempt({ do: branch('b', 'release'), finally: 'next' }), 'c'],
      },
      catch: 'mend',
    });
    const run = new Tried(units, flow);
    expect(run.called).toEqual(['a', 'b', 'c']);
    run.fail('c', 'first');
    expect([run.called, run.input('close')]).toEqual([
      ['close'],
      { error: expect.objectContaining({ unitId: 'c' }) },
    ]);
    expect(run.answer('close').called).toEqual(['release']);
    expect(run.answer('release').called).toEqual(['next']);
    expect(run.answer('next').called).toEqual(['mend']);
    run.answer('mend');
    expect(run.status).toBe('completed');
  });

  it('is closed by the end of the run: a failure, its time-out, a cancel', () => {
    const flow = {
      type: 'parallel',
      units: [attempt({ do: 'a', finally: 'close' }), 'b'],
    };
    const failing = new Tried(units, flow);
    expect(failing.fail('b').called).toEqual(['close']);
    failing.answer('close');
    expect([failing.status, failing.error]).toEqual(['failed', 'Unit b failed after 1 attempt(s): no']);

    const late = new Tried(units, flow, { policy: { timeout: { workflowMs: 5_000 } } });
    expect(late.due(9_000).called).toEqual(['close']);
    late.answer('close');
    expect([late.status, late.error]).toEqual(['failed', 'The run overran its time-out of 5000 ms']);

    const cancelled = new Tried(units, flow, { onCancel: ['release'] });
    expect(cancelled.cancel().called).toEqual(['close']);
    expect(cancelled.answer('close').called).toEqual(['release']);
    cancelled.answer('release');
    expect([cancelled.status, cancelled.error]).toEqual(['failed', 'Cancelled by ann']);
  });

  it('leaves a finally whose last unit ended while the run that is cancelled waited for something else', () => {
    const run = new Tried(units, {
      type: 'parallel',
      units: [attempt({ do: 'a', finally: seq('close', 'release') }), 'b'],
    });
    expect(run.answer('a').cancel(500).answer('close').called).toEqual(['b']);
    expect(run.answer('b').called).toEqual(['release']);
    expect(run.answer('release').status).toBe('failed');

    const last = new Tried(units, {
      type: 'parallel',
      units: [attempt({ do: 'a', finally: 'close' }), 'b'],
    });
    last.answer('a').cancel(500).answer('close').answer('b');
    expect([last.status, last.error, last.called]).toEqual(['failed', 'Cancelled by ann', []]);
  });

  it('is not resumed after what its finally undid, and is where nothing ran', () => {
    const undone = new Tried(units, attempt({ do: 'a', finally: 'close' }));
    undone.fail('a').answer('close');
    const { length } = undone.run.log;
    undone.run.send({ type: 'resume', at: 3_000, pauseId: null, by: ANN });
    expect([undone.status, undone.typesAfter(length)]).toEqual(['failed', []]);
    const passed = new Tried(units, attempt({ do: 'a', timeout: 'PT1H' }));
    passed.fail('a');
    passed.run.send({ type: 'resume', at: 3_000, pauseId: null, by: ANN });
    expect([passed.status, passed.called]).toEqual(['running', ['a']]);
  });

  it('fails its body by its time-out, gates included, and that time is all its own again after a resume', () => {
    const flow = attempt({ do: seq('a', 'ask', 'b'), timeout: 'PT10S', catch: 'mend' });
    const run = new Tried([...units, gate('ask')], flow);
    run.answer('a');
    expect([run.status, wakeAtOf(run.run.state)]).toEqual(['paused', 11_000]);
    run.due(11_000);
    expect(run.called).toEqual(['mend']);
    expect(run.input('mend')).toMatchObject({ error: { code: 'timeout', attempts: 0 } });
    run.answer('mend');
    expect([run.status, run.run.state.waits.size]).toEqual(['completed', 0]);
  });

  it('leaves a finally that runs its time, whatever comes due around it', () => {
    const flow = attempt({
      do: attempt({ do: 'a', finally: seq('close', 'release') }),
      timeout: 'PT10S',
      catch: 'mend',
    });
    const run = new Tried(units, flow);
    run.answer('a');
    run.due(11_000);
    expect(run.called).toEqual(['close']);
    expect(run.answer('close').called).toEqual(['release']);
    expect(run.answer('release').called).toEqual(['mend']);
  });

  it('begins anew in each round of a loop and each pass of a foreach', () => {
    const body = attempt({ do: 'a', catch: 'mend' });
    const loop = new Tried(units, { type: 'loop', do: body, maxIterations: 2 });
    loop.fail('a').answer('mend').answer('a');
    expect(loop.status).toBe('completed');
    const passes = new Tried(units, { type: 'foreach', items: '[1, 2]', do: body });
    passes.fail('a').answer('mend').answer('a');
    expect(passes.status).toBe('completed');
  });
});

it('of a deadline and a timer inside that are due at once, only the first is told', () => {
  const nap = { id: 'nap', uses: 'builtin.wait', config: { durationMs: 5 } };
  const run = new Tried([nap, work('tell')], { type: 'try', do: 'nap', timeout: 'PT0.001S', catch: 'tell' });
  run.run.send({ type: 'timer-due', at: 9_000 });
  const told = run.run.log
    .map(({ type }) => type)
    .filter((type) => type === 'deadline-passed' || type === 'timer-fired');
  expect([told, run.called]).toEqual([['deadline-passed'], ['tell']]);
});
