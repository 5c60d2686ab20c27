import { pending } from '../../src/engine/core/pending.js';
import type { Signal } from '../../src/engine/core/signal.js';
import { decodeState, encodeState } from '../../src/engine/core/state/codec/state-codec.js';
import { compensationOf } from '../../src/engine/core/state/debts/compensation-summary.js';
import { statusOf } from '../../src/engine/core/state/status.js';
import { ANN, compileText, SimulatedRun } from '../support/simulated-run.js';
import { document } from '../support/workflow-documents.js';

const work = (id: string, more: object = {}) => ({
  id,
  uses: 'work',
  policyOverrides: { retry: { maxAttempts: 1 } },
  ...more,
});

class Undoing {
  readonly run: SimulatedRun;

  constructor(units: readonly object[], spec: object) {
    this.run = new SimulatedRun(compileText(document('w', units, spec)));
  }

  /** The units that are called, and what for. */
  get called(): readonly string[] {
    return pending(this.run.state).flatMap((command) => {
      if (command.type !== 'execute-unit') return [];
      const { unitId, key, compensates } = command.execution;
      return [compensates === undefined ? unitId : `${unitId} of ${key}`];
    });
  }

  get status() {
    return [statusOf(this.run.state), this.run.state.error];
  }

  get input(): unknown {
    const last = this.run.log.findLast(({ type }) => type === 'unit-scheduled');
    return last?.type === 'unit-scheduled' ? last.input : undefined;
  }

  idOf(unitId: string): number {
    const event = this.run.log.findLast((one) => one.type === 'unit-scheduled' && one.unitId === unitId);
    return event?.seq ?? 0;
  }

  answer(unitId: string, output: string = unitId): this {
    const rest = { output, patch: null, usage: null, metadata: null };
    this.run.send({ type: 'unit-finished', at: 2_000, ...this.callOf(unitId), ...rest });
    return this.checked();
  }

  fail(unitId: string, outcome: 'refused' | 'unknown' = 'refused'): this {
    const rest = { error: 'no', retryable: false, outcome, retryAfterMs: null } as const;
    this.run.send({ type: 'unit-attempt-failed', at: 2_000, ...this.callOf(unitId), ...rest });
    return this.checked();
  }

  get childId(): number {
    return this.run.log.findLast(({ type }) => type === 'child-started')?.seq ?? 0;
  }

  endChild(
    how: Omit<Extract<Signal, { readonly type: 'child-ended' }>, 'type' | 'at' | 'childRunId' | 'key'>,
  ) {
    const started = this.run.log.findLast((event) => event.type === 'child-started');
    if (started?.type !== 'child-started') throw new Error('No child was begun.');
    const { childRunId, seq: key } = started;
    this.run.send({ type: 'child-ended', at: 2_000, childRunId, key, ...how });
    return this.checked();
  }

  cancel(graceMs = 0): this {
    this.run.send({ type: 'cancel', at: 2_000, by: ANN, graceMs });
    return this.checked();
  }

  pass(ms: number): this {
    this.run.send({ type: 'timer-due', at: 2_000 + ms });
    return this.checked();
  }

  again(): this {
    this.run.send({ type: 'compensate', at: 3_000, by: ANN });
    return this.checked();
  }

  ends() {
    return this.run.log.flatMap((event) =>
      event.type === 'compensation-finished' ? [[event.done, event.failed, event.unknown]] : [],
    );
  }

  callOf(unitId: string) {
    for (const command of pending(this.run.state)) {
      if (command.type !== 'execute-unit' || command.execution.unitId !== unitId) continue;
      return { executionId: command.execution.id, attempt: command.execution.attempt };
    }
    throw new Error(`${unitId} is not being called; ${this.called.join()} are.`);
  }

  private checked(): this {
    const { run } = this;
    expect(encodeState(run.fold())).toEqual(encodeState(run.state));
    expect(encodeState(decodeState(encodeState(run.state)))).toEqual(encodeState(run.state));
    return this;
  }
}

const SAGA = [
  work('reserve', { compensate: { unit: 'release', with: { id: '${{ done.output }}' } } }),
  work('charge', { compensate: 'refund' }),
  work('ship'),
  work('release'),
  work('refund'),
  work('tell'),
  work('next'),
];
const order = (...units: readonly unknown[]) => ({ type: 'sequential', order: units });

describe('what was done and can be undone', () => {
  const tried = order(
    { type: 'try', do: order('reserve', 'charge', 'ship'), compensate: true, catch: 'tell' },
    'next',
  );

  it('is undone from the last to the first where a try fails, before it is caught', () => {
    const run = new Undoing(SAGA, { flow: tried });
    run.answer('reserve', 'r-1').answer('charge', 'c-1');
    const [reserve, charge] = [run.idOf('reserve'), run.idOf('charge')];
    run.fail('ship');
    expect([run.called, run.input]).toEqual([[`refund of ${charge}`], { input: { n: 1 }, output: 'c-1' }]);
    run.answer('refund');
    expect([run.called, run.input]).toEqual([[`release of ${reserve}`], { id: 'r-1' }]);
    run.answer('release');
    expect([run.called, run.ends()]).toEqual([['tell'], [[2, 0, 0]]]);
    run.answer('tell').answer('next');
    expect(run.status).toEqual(['completed', null]);
  });

  it('is undone where the run fails, or is cancelled, whatever a unit in between could not undo', () => {
    const flow = order('reserve', 'charge', 'ship');
    const failing = new Undoing(
      SAGA.filter(({ id }) => id !== 'tell' && id !== 'next'),
      { flow },
    );
    failing.answer('reserve').answer('charge').fail('ship').fail('refund');
    expect(failing.called).toEqual([`release of ${failing.idOf('reserve')}`]);
    failing.answer('release');
    expect([failing.ends(), failing.status]).toEqual([
      [[1, 1, 0]],
      ['failed', 'Unit ship failed after 1 attempt(s): no'],
    ]);
    const cancelled = new Undoing(
      SAGA.filter(({ id }) => id !== 'tell' && id !== 'next'),
      { flow },
    );
    cancelled.answer('reserve').cancel();
    expect(cancelled.called).toEqual([`release of ${cancelled.idOf('reserve')}`]);
    cancelled.answer('release');
    expect(cancelled.status).toEqual(['failed', 'Cancelled by ann']);
  });

  it('is left as it is where the workflow says so', () => {
    const units = SAGA.filter(({ id }) => id !== 'tell' && id !== 'next');
    const flow = order('reserve', 'charge', 'ship');
    const run = new Undoing(units, { flow, compensateOn: ['cancel'] });
    run.answer('reserve').fail('charge');
    expect(run.status[0]).toBe('failed');
    run.cancel();
    expect(run.called).toEqual([`release of ${run.idOf('reserve')}`]);
  });

  it('is not what is unknown, unless the unit asks for that', () => {
    const flow = order({ type: 'try', do: 'reserve', compensate: true, ignore: true }, 'next');
    const named = (onUnknown: boolean) => [
      work('reserve', { compensate: { unit: 'release', onUnknown, with: { known: '${{ done.known }}' } } }),
      work('release'),
      work('next'),
    ];
    const silent = new Undoing(named(false), { flow });
    expect(silent.fail('reserve', 'unknown').called).toEqual(['next']);
    const asking = new Undoing(named(true), { flow });
    asking.fail('reserve', 'unknown');
    expect([asking.called, asking.input]).toEqual([
      [`release of ${asking.idOf('reserve')}`],
      { known: false },
    ]);
    const refused = new Undoing(named(true), { flow });
    expect(refused.fail('reserve').called).toEqual(['next']);
  });

  it('counts each pass of a loop and each item of a foreach by itself', () => {
    const units = [
      work('reserve', {
        compensate: { unit: 'release', with: { n: '${{ done.index }}', of: '${{ done.itemKey }}' } },
      }),
      work('release'),
      work('ship'),
    ];
    const each = { type: 'foreach', items: '["a", "b"]', do: 'reserve', itemKey: 'item' };
    const run = new Undoing(units, { flow: order(each, 'ship') });
    run.answer('reserve').answer('reserve').fail('ship');
    expect(run.input).toEqual({ n: 1, of: 'b' });
    run.answer('release');
    expect(run.input).toEqual({ n: 0, of: 'a' });
    run.answer('release');
    expect([run.ends(), run.status[0]]).toEqual([[[2, 0, 0]], 'failed']);
  });

  it('is undone also where it was done in a branch that was closed', () => {
    const units = [work('reserve', { compensate: 'release' }), work('release'), work('ship'), work('next')];
    const flow = order({
      type: 'try',
      do: { type: 'parallel', units: [order('reserve', 'next'), 'ship'] },
      compensate: true,
      ignore: true,
    });
    const run = new Undoing(units, { flow });
    run.answer('reserve').fail('ship');
    expect(run.called).toEqual([`release of ${run.idOf('reserve')}`]);
    expect(run.answer('release').status).toEqual(['completed', null]);
  });

  describe('by a child run', () => {
    const book = {
      id: 'book',
      uses: 'builtin.workflow',
      config: { workflowId: 'booking' },
      compensate: { unit: 'release', with: { of: '${{ done.output }}' } },
    };
    const units = [book, work('ship'), work('release')];
    const ofChild = { usage: { tokens: 0, cost: 0 }, seq: 9, error: null } as const;

    it('is undone by another unit once the child has completed', () => {
      const run = new Undoing(units, { flow: order('book', 'ship') });
      run.endChild({ status: 'completed', output: 'b-1', ...ofChild }).fail('ship');
      expect([run.called, run.input]).toEqual([[`release of ${run.childId}`], { of: 'b-1' }]);
      expect(run.answer('release').status[0]).toBe('failed');
    });

    it('is what the child undoes itself where it fails', () => {
      const run = new Undoing(units, { flow: order('book', 'ship') });
      run.endChild({ status: 'failed', output: null, ...ofChild, error: 'sold out' });
      expect([run.called, run.ends(), run.status[0]]).toEqual([[], [], 'failed']);
    });
  });
});

describe('a race that undoes what its losers did', () => {
  const units = [
    work('a', { compensate: 'undo' }),
    work('b', { compensate: 'undo' }),
    work('undo'),
    work('x'),
    work('y'),
    work('next'),
  ];
  const race = { type: 'race', units: [order('a', 'x'), order('b', 'y')], winner: 'how', compensate: true };

  it('does so before it is left, and leaves what the first one did', () => {
    const run = new Undoing(units, { flow: order(race, 'next') });
    run.answer('a').answer('b');
    const a = run.idOf('a');
    expect(run.answer('y').called).toEqual([`undo of ${a}`]);
    expect(run.answer('undo').called).toEqual(['next']);
    expect(run.answer('next').status).toEqual(['completed', null]);
    expect(run.ends()).toEqual([[1, 0, 0]]);
  });

  it('does so in each pass for that pass alone', () => {
    const run = new Undoing(units, {
      flow: order({ type: 'loop', do: race, maxIterations: 2, until: 'false' }, 'next'),
    });
    run.answer('a').answer('x');
    const second = run.answer('b').answer('y');
    expect(second.called).toEqual(['next']);
    const again = new Undoing(units, {
      flow: order({ type: 'loop', do: race, maxIterations: 2, until: 'false' }, 'next'),
    });
    again.answer('a').answer('x').answer('a');
    const a = again.idOf('a');
    expect(again.answer('b').answer('y').called).toEqual([`undo of ${a}`]);
  });

  it('does so also where the first to end has failed, and then fails with it', () => {
    const run = new Undoing(units, { flow: order(race, 'next'), compensateOn: ['cancel'] });
    run.answer('a').answer('b');
    const a = run.idOf('a');
    expect(run.fail('y').called).toEqual([`undo of ${a}`]);
    expect(run.answer('undo').status).toEqual(['failed', 'Unit y failed after 1 attempt(s): no']);
    expect(run.run.state.isUnwound).toBe(true);
    const caught = new Undoing(units, { flow: order({ type: 'try', do: race, ignore: true }, 'next') });
    caught.answer('a').answer('b').fail('y').answer('undo');
    expect(caught.called).toEqual(['next']);
    expect(caught.answer('next').status).toEqual(['completed', null]);
  });
});

describe('a run that goes back to a branch that had failed', () => {
  it('calls its unit under a new key, where the call under the old one was done since, and undone', () => {
    const flow = { type: 'parallel', units: ['reserve', 'ship'], failureStrategy: 'collect-errors' };
    const run = new Undoing([work('reserve', { compensate: 'release' }), work('ship'), work('release')], {
      flow,
    });
    const key = run.idOf('reserve');
    const resume = () => run.run.send({ type: 'resume', at: 2_500, pauseId: null, by: ANN });
    run.fail('reserve', 'unknown');
    const { length: branchHasFailed } = run.run.log;
    run.fail('ship');
    resume();
    run.answer('reserve').fail('ship');
    expect(run.called).toEqual([`release of ${key}`]);
    run.answer('release');
    run.run.rewind(branchHasFailed);
    run.answer('ship');
    expect(run.status[0]).toBe('failed');
    resume();
    const again = run.idOf('reserve');
    expect(run.answer('reserve').status).toEqual(['completed', null]);
    const [call] = run.run.log.filter(({ seq }) => seq === again);
    expect(call).toMatchObject({ type: 'unit-scheduled', unitId: 'reserve', key: null });
  });
});

describe('what closes while something is being undone', () => {
  const units = [work('a', { compensate: 'undo' }), work('undo'), work('x'), work('tell'), work('next')];
  const inner = { type: 'try', do: order('a', 'x'), compensate: true, catch: 'tell' };

  it('waits for it: the time of a try around it does not count', () => {
    const outer = { type: 'try', do: inner, timeout: 'PT60S', ignore: true };
    const run = new Undoing(units, { flow: order(outer, 'next') });
    run.answer('a').fail('x');
    const a = run.idOf('a');
    expect(run.pass(90_000).called).toEqual([`undo of ${a}`]);
    expect(run.answer('undo').called).toEqual(['next']);
    expect(run.answer('next').status).toEqual(['completed', null]);
    expect(run.ends()).toEqual([[1, 0, 0]]);
  });

  it('waits for it in another branch, too, and calls it once', () => {
    const flow = order(
      { type: 'try', do: { type: 'parallel', units: [inner, 'next'] }, ignore: true },
      'more',
    );
    const run = new Undoing([...units, work('more')], { flow });
    run.answer('a').fail('x').fail('next');
    const a = run.idOf('a');
    expect(run.called).toEqual([`undo of ${a}`]);
    expect(run.answer('undo').called).toEqual(['more']);
    expect(run.ends()).toEqual([[1, 0, 0]]);
  });

  it('is a cancel, which undoes only what is left', () => {
    const three = [
      work('a', { compensate: 'undo' }),
      work('b', { compensate: 'undo' }),
      work('c', { compensate: 'undo' }),
      work('undo'),
      work('x'),
    ];
    const begun = (compensateOn: readonly string[]): Undoing => {
      const run = new Undoing(three, { flow: order('a', 'b', 'c', 'x'), compensateOn });
      return run.answer('a').answer('b').answer('c').fail('x').answer('undo');
    };
    for (const ends of [['failure', 'cancel'], ['failure']]) {
      for (const graceMs of [0, 1_000]) {
        const run = begun(ends);
        const [a, b] = [run.idOf('a'), run.idOf('b')];
        expect(run.cancel(graceMs).called).toEqual([`undo of ${b}`]);
        if (graceMs > 0) run.pass(2_000);
        expect(run.called).toEqual([`undo of ${b}`]);
        expect(run.answer('undo').called).toEqual([`undo of ${a}`]);
        expect(run.answer('undo').status).toEqual(['failed', 'Cancelled by ann']);
        expect(run.cancel().called).toEqual([]);
      }
    }
  });

  it('tries a compensation again by its own policy while the run is cancelled', () => {
    const patient = { policyOverrides: { retry: { maxAttempts: 2, jitter: false } } };
    const run = new Undoing([work('a', { compensate: 'undo' }), { ...work('undo'), ...patient }, work('x')], {
      flow: order('a', 'x'),
    });
    run.answer('a').fail('x').cancel(1_000);
    const retryable = { error: 'no', retryable: true, outcome: 'refused', retryAfterMs: 0 } as const;
    run.run.send({ type: 'unit-attempt-failed', at: 2_000, ...run.callOf('undo'), ...retryable });
    expect(run.called).toEqual([`undo of ${run.idOf('a')}`]);
    expect(run.answer('undo').ends()).toEqual([[1, 0, 0]]);
    expect(run.status).toEqual(['failed', 'Cancelled by ann']);
  });

  it('is held by a pause, and goes on with the resume', () => {
    const run = new Undoing(
      [work('a', { compensate: 'undo' }), work('b', { compensate: 'undo' }), work('undo'), work('x')],
      { flow: order('a', 'b', 'x') },
    );
    run.answer('a').answer('b').fail('x');
    run.run.send({ type: 'pause', at: 2_000, by: ANN, graceMs: 1_000 });
    run.answer('undo');
    expect([run.called, run.status[0]]).toEqual([[], 'paused']);
    const [pauseId] = [...run.run.state.waits.keys()];
    run.run.send({ type: 'resume', at: 2_000, pauseId: pauseId!, by: ANN });
    expect(run.called).toEqual([`undo of ${run.idOf('a')}`]);
    expect(run.answer('undo').status[0]).toBe('failed');
  });

  it('breaks off a call whose retry was due: it may have been made', () => {
    const patient = { policyOverrides: { retry: { maxAttempts: 3, jitter: false } } };
    const run = new Undoing(
      [
        { ...work('a', { compensate: { unit: 'undo', onUnknown: true } }), ...patient },
        work('undo'),
        work('x'),
      ],
      { flow: { type: 'parallel', units: ['a', 'x'] } },
    );
    const retryable = { error: 'no', retryable: true, outcome: 'refused', retryAfterMs: 0 } as const;
    run.run.send({ type: 'unit-attempt-failed', at: 2_000, ...run.callOf('a'), ...retryable });
    expect(run.fail('x').called).toEqual([`undo of ${run.idOf('a')}`]);
  });
});

describe('a run that goes back', () => {
  it('still owes what it left behind', () => {
    const units = [work('a', { compensate: 'undo' }), work('undo'), work('b'), work('x')];
    const run = new Undoing(units, { flow: order('b', 'a', 'x') });
    run.answer('b');
    const toSeq = run.run.log.at(-2)!.seq;
    run.answer('a');
    const first = run.idOf('a');
    run.run.rewind(toSeq);
    const second = run.answer('a').idOf('a');
    expect(run.fail('x').called).toEqual([`undo of ${second}`]);
    expect(run.answer('undo').called).toEqual([`undo of ${first}`]);
    expect(run.answer('undo').ends()).toEqual([[2, 0, 0]]);
  });
});

describe('what could not be undone', () => {
  const units = SAGA.filter(({ id }) => id !== 'tell' && id !== 'next');
  const flow = order('reserve', 'charge', 'ship');

  it('is tried again under its old key, and nothing else is; then the run ends as it had ended', () => {
    const run = new Undoing(units, { flow });
    run.answer('reserve').answer('charge').fail('ship').fail('refund').answer('release');
    const ended = run.status;
    expect(compensationOf(run.run.state)).toEqual({ status: 'failed', done: 1, failed: 1, unknown: 0 });
    run.again();
    expect([run.called, run.status]).toEqual([[`refund of ${run.idOf('charge')}`], ['running', null]]);
    expect(compensationOf(run.run.state)).toEqual({ status: 'running', done: 1, failed: 0, unknown: 0 });
    // The run is over: there is nothing to cancel, and it does not try twice at once.
    run.cancel().again();
    expect(run.called).toHaveLength(1);
    run.answer('refund');
    expect([run.status, run.ends()]).toEqual([
      ended,
      [
        [1, 1, 0],
        [2, 0, 0],
      ],
    ]);
    expect(compensationOf(run.run.state)).toEqual({ status: 'done', done: 2, failed: 0, unknown: 0 });
    const { seq } = run.run.state;
    expect(run.again().run.state.seq).toBe(seq);
  });

  it('may fail again, and be tried once more', () => {
    const run = new Undoing(units, { flow });
    run.answer('reserve').fail('charge').fail('release').again().fail('release');
    expect(compensationOf(run.run.state)).toEqual({ status: 'failed', done: 0, failed: 1, unknown: 0 });
    run.again().answer('release');
    expect(compensationOf(run.run.state)).toEqual({ status: 'done', done: 1, failed: 0, unknown: 0 });
  });

  it('is tried again of a run that completed, or was cancelled, and what was not to be undone stays', () => {
    const all = order(
      { type: 'try', do: order('reserve', 'ship'), compensate: true, ignore: true },
      'charge',
    );
    const done = new Undoing(units, { flow: all });
    done.answer('reserve').fail('ship').fail('release').answer('charge');
    expect([done.status, done.again().called]).toEqual([
      ['completed', null],
      [`release of ${done.idOf('reserve')}`],
    ]);
    expect(done.answer('release').status).toEqual(['completed', null]);
    const cancelled = new Undoing(units, { flow });
    cancelled.answer('reserve').cancel().fail('release');
    expect(cancelled.again().called).toEqual([`release of ${cancelled.idOf('reserve')}`]);
    expect(cancelled.answer('release').status).toEqual(['failed', 'Cancelled by ann']);
  });

  it('leaves a run that can be resumed as it was', () => {
    const all = order(
      { type: 'try', do: order('reserve', 'ship'), compensate: true, ignore: true },
      'charge',
    );
    const run = new Undoing(units, { flow: all, compensateOn: ['cancel'] });
    run.answer('reserve').fail('ship').fail('release').fail('charge');
    run.again().answer('release');
    run.run.send({ type: 'resume', at: 4_000, pauseId: null, by: ANN });
    expect(run.called).toEqual(['charge']);
    expect(run.answer('charge').status).toEqual(['completed', null]);
  });
});

describe('the summary of what is undone', () => {
  it('is none where nothing can be, and says what is owed while the run goes on', () => {
    const flow = order('reserve', 'charge', 'ship');
    const units = SAGA.filter(({ id }) => id !== 'tell' && id !== 'next');
    const run = new Undoing(units, { flow });
    expect(compensationOf(run.run.state)).toBeNull();
    run.answer('reserve');
    expect(compensationOf(run.run.state)).toEqual({ status: 'owed', done: 0, failed: 0, unknown: 0 });
    run.answer('charge').answer('ship');
    expect([run.status, compensationOf(run.run.state)]).toEqual([['completed', null], null]);
  });

  it('counts what may have been done, and nobody undoes', () => {
    const flow = order({ type: 'try', do: 'reserve', ignore: true }, 'next');
    const units = [work('reserve', { compensate: 'release' }), work('release'), work('next')];
    const run = new Undoing(units, { flow }).fail('reserve', 'unknown').answer('next');
    expect(compensationOf(run.run.state)).toEqual({ status: 'done', done: 0, failed: 0, unknown: 1 });
  });

  const open = { type: 'parallel', units: ['reserve', 'ship'] };
  const units = [work('reserve', { compensate: 'release' }), work('ship'), work('release')];
  const unknown = { status: 'done', done: 0, failed: 0, unknown: 1 };

  it('counts calls that are open when the run fails, until a resume makes them again', () => {
    const run = new Undoing(units, { flow: open }).fail('ship');
    expect([run.run.state.phase, compensationOf(run.run.state)]).toEqual(['failed', unknown]);
    run.run.send({ type: 'note', at: 9_000, request: 'resume' });
    expect(compensationOf(run.run.state)).toEqual(unknown);
    run.run.send({ type: 'resume', at: 9_000, pauseId: null, by: ANN });
    expect([run.called, compensationOf(run.run.state)]).toEqual([['reserve', 'ship'], null]);
    run.answer('reserve').answer('ship');
    expect([run.status, compensationOf(run.run.state)]).toEqual([['completed', null], null]);
  });

  it('counts calls that are open when a run is cancelled that undoes nothing then', () => {
    const run = new Undoing(units, { flow: open, compensateOn: ['failure'] }).cancel();
    expect([run.status, compensationOf(run.run.state)]).toEqual([['failed', 'Cancelled by ann'], unknown]);
  });

  it('counts no call that waits for its retry, and so was refused', () => {
    const again = { policyOverrides: { retry: { maxAttempts: 2 } } };
    const run = new Undoing(
      [work('reserve', { compensate: 'release', ...again }), work('ship'), work('release')],
      {
        flow: open,
      },
    );
    const rest = { error: 'no', retryable: true, outcome: 'refused', retryAfterMs: 60_000 } as const;
    run.run.send({ type: 'unit-attempt-failed', at: 2_000, ...run.callOf('reserve'), ...rest });
    run.fail('ship');
    expect([run.run.state.phase, compensationOf(run.run.state)]).toEqual(['failed', null]);
  });
});
