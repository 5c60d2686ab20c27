import { inSequence, workflowYaml } from '../../../../test/support/engine.js';
import { definitionOf, FINISHED, LiveShell, settled } from '../../../../test/support/live-shell.js';
import { ANN, SimulatedRun } from '../../../../test/support/simulated-run.js';
import type { Definition } from '../../definitions/definition.js';
import type { RunEvent } from '../../core/log/event.js';
import type { Signal } from '../../core/signal.js';
import type { RunState } from '../../core/state/state.js';
import type { UnitOutcome } from '../../ports/unit-executor.js';
import { InMemoryRunStore } from '../../in-memory/in-memory-run-store.js';
import type { RunInMemory } from '../run-shell.js';
import { Admission } from './admission.js';
import { Dispatcher } from './dispatcher.js';

const work = (id: string) => ({ id, uses: `acme.${id}` });

/** A run with parallel units, and the dispatcher that calls them as its state says. */
class Calling {
  readonly shell: LiveShell;
  readonly definition: Definition;
  readonly run: SimulatedRun;
  readonly answers: Signal[] = [];
  looks = 0;
  others = 0;
  walks = 0;
  /** How often it was notified of a free slot. */
  slots = 0;
  readonly dispatcher: Dispatcher;

  constructor(
    ids: readonly string[],
    options: { readonly slots?: number; readonly yaml?: string; readonly more?: object } = {},
  ) {
    const { slots = 100, more } = options;
    const flow = { type: 'parallel', units: ids };
    const yaml = options.yaml ?? workflowYaml('w', { units: ids.map(work), flow, ...more });
    this.shell = new LiveShell(new InMemoryRunStore(), new Admission(slots));
    this.definition = definitionOf(yaml);
    this.run = new SimulatedRun(this.definition.plan);
    const live = { runId: 'run', definition: this.definition, history: null };
    Object.defineProperty(live, 'durable', { get: () => this.counted(this.run.state) });
    this.dispatcher = new Dispatcher(live as unknown as RunInMemory, this.shell, {
      onOutcome: (signal) => void this.answers.push(signal),
      onSlot: () => void (this.slots += 1),
    });
  }

  /** The state, with a count of how often one wait, or all of them, are looked up. */
  private counted(state: RunState): RunState {
    const { waits } = state;
    const counting = Object.create(waits, {
      get: { value: (id: number) => (++this.looks, waits.get(id)) },
      values: { value: () => (++this.walks, waits.values()) },
    }) as typeof waits;
    return { ...state, waits: counting };
  }

  get called(): readonly string[] {
    return this.shell.called;
  }

  /** Whether there is a slot for another workflow. */
  anotherEnters(): boolean {
    const { admission } = this.shell;
    return admission.tryEnter(
      admission.shareOf(
        { namespace: 'default', owner: null, workflowId: `other ${++this.others}` },
        () => undefined,
      ),
    );
  }

  /** The seq of the event that scheduled the unit last. */
  idOf(unitId: string): number {
    return this.run.log.findLast((event) => event.type === 'unit-scheduled' && event.unitId === unitId)!.seq;
  }

  async dispatch(turn: readonly RunEvent[] = []): Promise<void> {
    this.dispatcher.dispatch(turn, this.shell.clock.now());
    await settled();
  }

  /** Dispatches what the run decides on the signal, as its turn. */
  async send(signal: Signal): Promise<void> {
    await this.dispatch(this.run.send(signal));
  }

  async answer(unitId: string, answer: UnitOutcome = FINISHED): Promise<void> {
    this.shell.calls.findLast((call) => call.unitId === unitId)!.complete(answer);
    await settled();
  }

  failed(unitId: string, more: object = {}): Signal {
    return {
      type: 'unit-attempt-failed',
      at: this.shell.clock.now(),
      executionId: this.idOf(unitId),
      attempt: 1,
      error: 'no',
      retryable: true,
      outcome: 'refused',
      retryAfterMs: null,
      ...more,
    };
  }

  isAborted(unitId: string): boolean {
    return this.shell.calls.findLast((call) => call.unitId === unitId)!.signal.aborted;
  }
}

const cancel: Signal = { type: 'cancel', at: 2_000, by: ANN, graceMs: 0 };

describe('the units of a run', () => {
  it('are called in the order in which they came up, each once, with the key of its execution', async () => {
    const calling = new Calling(['b', 'a', 'c']);
    await calling.dispatch(calling.run.log);
    await calling.dispatch();
    await calling.dispatch(calling.run.log);
    expect(calling.called).toEqual(['b', 'a', 'c']);
    const { clock, calls } = calling.shell;
    expect(calls[0]!.key).toBe(`run:${calling.idOf('b')}`);
    const { timeoutMs } = calling.run.log.find((event) => event.type === 'unit-scheduled')!;
    expect(calls[0]!.request.context.deadlineAt).toBe(clock.now() + timeoutMs);
    expect(calling.dispatcher.hasInFlight).toBe(true);
  });

  it('are called as the state says when no turn opened them', async () => {
    const calling = new Calling(['a', 'b']);
    await calling.dispatch();
    expect(calling.called).toEqual(['a', 'b']);
  });

  it('are found in the state again after it was loaded, and what is in flight is not called twice', async () => {
    const calling = new Calling(['a']);
    await calling.dispatch([]);
    calling.run.send(calling.failed('a', { attempt: 1, retryAfterMs: 0 }));
    calling.dispatcher.startOver();
    await calling.dispatch();
    expect(calling.called).toEqual(['a', 'a']);
    expect(calling.shell.calls.map(({ request }) => request.context.attempt)).toEqual([1, 2]);
    expect(calling.shell.calls[0]!.signal.aborted).toBe(true);
    calling.dispatcher.startOver();
    await calling.dispatch();
    expect(calling.called).toHaveLength(2);
    expect(calling.shell.calls[1]!.signal.aborted).toBe(false);
  });

  it('are called after a load in the order in which they came up, whatever was queued before', async () => {
    const policy = { concurrency: { maxParallelUnits: 1 } };
    const calling = new Calling(['a', 'b', 'c'], { more: { policy } });
    await calling.dispatch();
    await calling.answer('a', {
      kind: 'failed',
      error: 'no',
      retryable: true,
      outcome: 'refused',
      retryAfterMs: 0,
    });
    calling.run.send(calling.answers[0]!);
    calling.dispatcher.settle(calling.answers);
    calling.dispatcher.startOver();
    await calling.dispatch();
    expect(calling.called).toEqual(['a', 'a']);
  });

  it('keep their share of the memory for large outcomes until the decision is stored, or they are dropped', async () => {
    const released: string[] = [];
    const calling = new Calling(['stored', 'undecided', 'abandoned', 'flying', 'late']);
    await calling.dispatch();
    for (const call of calling.shell.calls) {
      if (call.unitId !== 'late') call.hold({ release: () => void released.push(call.unitId) });
    }
    for (const unitId of ['stored', 'undecided', 'abandoned']) await calling.answer(unitId);
    expect(released).toEqual([]);
    calling.dispatcher.settle(calling.answers.slice(0, 1));
    expect(released).toEqual(['stored']);
    calling.dispatcher.suspend(calling.idOf('undecided'));
    expect(released).toEqual(['stored', 'undecided']);
    calling.dispatcher.abandon();
    expect(new Set(released)).toEqual(new Set(['stored', 'undecided', 'abandoned', 'flying']));
    calling.shell.calls.at(-1)!.hold({ release: () => void released.push('late') });
    expect(released).toContain('late');
  });

  it('cost a turn what it opened and closed, however many others are in flight', async () => {
    const ids = Array.from({ length: 16 }, (_, index) => `u${index}`);
    const calling = new Calling(ids);
    await calling.dispatch();
    expect(calling.called).toHaveLength(16);
    calling.looks = calling.walks = 0;
    await calling.answer('u7', {
      kind: 'failed',
      error: 'no',
      retryable: true,
      outcome: 'refused',
      retryAfterMs: 0,
    });
    const turn = calling.run.send(calling.answers[0]!);
    calling.dispatcher.settle(calling.answers);
    await calling.dispatch(turn);
    await calling.dispatch();
    expect(calling.called).toHaveLength(17);
    expect(calling.walks).toBe(0);
    expect(calling.looks).toBeLessThan(10);
  });

  it('are not called while the engine closes', async () => {
    const calling = new Calling(['a']);
    calling.shell.isClosing = true;
    await calling.dispatch();
    expect(calling.called).toEqual([]);
    calling.shell.isClosing = false;
    await calling.dispatch();
    expect(calling.called).toEqual(['a']);
  });

  it('are not called more often at once than the workflow allows', async () => {
    const calling = new Calling(['a', 'b', 'c'], {
      more: { policy: { concurrency: { maxParallelUnits: 2 } } },
    });
    await calling.dispatch();
    expect(calling.called).toEqual(['a', 'b']);
    await calling.answer('a');
    await calling.dispatch();
    expect(calling.called).toEqual(['a', 'b', 'c']);
  });

  it('wait for a slot among the executions of the process, and take the next that comes free', async () => {
    const calling = new Calling(['a', 'b'], { slots: 1 });
    await calling.dispatch();
    expect([calling.called, calling.dispatcher.isWaitingForSlot]).toEqual([['a'], true]);
    await calling.answer('a');
    expect([calling.called, calling.dispatcher.isWaitingForSlot, calling.slots]).toEqual([
      ['a', 'b'],
      false,
      1,
    ]);
    await calling.answer('b');
    expect(calling.slots).toBe(1);
    expect(calling.anotherEnters()).toBe(true);
  });

  it('take no slot for a run that another process owns by then', async () => {
    const calling = new Calling(['a', 'b'], { slots: 1 });
    await calling.dispatch();
    calling.shell.isOwner = false;
    await calling.answer('a');
    expect([calling.called, calling.slots, calling.dispatcher.isWaitingForSlot]).toEqual([['a'], 1, false]);
    expect(calling.anotherEnters()).toBe(true);
  });

  it('are tried again when their retry is due, as the next attempt', async () => {
    const calling = new Calling(['a']);
    await calling.dispatch();
    await calling.answer('a', {
      kind: 'failed',
      error: 'no',
      retryable: true,
      outcome: 'refused',
      retryAfterMs: 500,
    });
    const [answer] = calling.answers;
    expect(answer).toEqual(calling.failed('a', { retryAfterMs: 500 }));
    const turn = calling.run.send(answer!);
    calling.dispatcher.settle([answer!]);
    await calling.dispatch(turn);
    await calling.shell.clock.advance(499);
    await calling.dispatch();
    expect(calling.called).toEqual(['a']);
    await calling.shell.clock.advance(1);
    await calling.dispatch();
    expect(calling.shell.calls.map(({ request }) => request.context.attempt)).toEqual([1, 2]);
  });
});

describe('the outcome of a unit', () => {
  it('is handed on as a signal, with all that the unit returned', async () => {
    const calling = new Calling(['a']);
    await calling.dispatch();
    const said = {
      output: { n: 1 },
      patch: { k: 2 },
      usage: { tokens: 3, cost: 4 },
      metadata: { route: 'x' },
    };
    await calling.answer('a', { kind: 'finished', ...said });
    expect(calling.answers).toEqual([
      {
        type: 'unit-finished',
        at: calling.shell.clock.now(),
        executionId: calling.idOf('a'),
        attempt: 1,
        ...said,
      },
    ]);
    expect(calling.dispatcher.hasInFlight).toBe(false);
  });

  it('keeps the unit from being called again until it is decided', async () => {
    const calling = new Calling(['a']);
    await calling.dispatch();
    await calling.answer('a');
    calling.dispatcher.startOver();
    await calling.dispatch();
    expect(calling.called).toEqual(['a']);
    // These settle another attempt, another execution, or no outcome at all.
    const { executionId } = calling.answers[0] as { executionId: number };
    calling.dispatcher.settle([
      calling.failed('a', { attempt: 2 }),
      calling.failed('a', { executionId: executionId + 1 }),
      { type: 'undecided', at: 1, executionId: null, error: 'x' },
      { type: 'continue', at: 1 },
    ]);
    calling.dispatcher.startOver();
    await calling.dispatch();
    expect(calling.called).toEqual(['a']);
    calling.dispatcher.settle(calling.answers);
    calling.dispatcher.startOver();
    await calling.dispatch();
    expect(calling.called).toEqual(['a', 'a']);
  });

  it('that is a failure is settled, too', async () => {
    const calling = new Calling(['a']);
    await calling.dispatch();
    await calling.answer('a', {
      kind: 'failed',
      error: 'no',
      retryable: true,
      outcome: 'refused',
      retryAfterMs: 0,
    });
    calling.dispatcher.settle(calling.answers);
    calling.dispatcher.startOver();
    await calling.dispatch();
    expect(calling.called).toEqual(['a', 'a']);
  });
});

describe('what the run does not know any more', () => {
  it('is aborted, and has no outcome', async () => {
    const calling = new Calling(['a', 'b']);
    await calling.dispatch();
    await calling.send(cancel);
    expect([calling.isAborted('a'), calling.isAborted('b')]).toEqual([true, true]);
    expect(calling.dispatcher.hasInFlight).toBe(false);
    await calling.answer('a');
    expect(calling.answers).toEqual([]);
  });

  it('frees its slots', async () => {
    const calling = new Calling(['a', 'b'], { slots: 2 });
    await calling.dispatch();
    await calling.send(cancel);
    const enter = () => calling.anotherEnters();
    expect([enter(), enter(), enter()]).toEqual([true, true, false]);
  });

  it('is aborted while a pause freezes it, and nothing else is', async () => {
    const calling = new Calling(['a', 'b']);
    await calling.dispatch();
    calling.run.send({ type: 'undecided', at: 2_000, executionId: calling.idOf('a'), error: 'x' });
    calling.dispatcher.startOver();
    await calling.dispatch();
    expect([calling.isAborted('a'), calling.isAborted('b')]).toEqual([true, false]);
    expect(calling.called).toEqual(['a', 'b']);
  });

  it('is not called when it was in the queue before, and takes no slot', async () => {
    const calling = new Calling(['a', 'b', 'c'], {
      slots: 2,
      more: { policy: { concurrency: { maxParallelUnits: 1 } } },
    });
    await calling.dispatch();
    await calling.answer('a');
    calling.run.send({ type: 'undecided', at: 2_000, executionId: calling.idOf('b'), error: 'x' });
    await calling.dispatch();
    expect(calling.called).toEqual(['a', 'c']);
    await calling.answer('c');
    await calling.send(cancel);
    await calling.dispatch();
    expect(calling.called).toEqual(['a', 'c']);
    const enter = () => calling.anotherEnters();
    expect([enter(), enter(), enter()]).toEqual([true, true, false]);
  });

  it('is aborted in a process that releases the run: nothing is recorded, and its slots are free', async () => {
    const calling = new Calling(['a', 'b'], { slots: 4 });
    await calling.dispatch();
    calling.dispatcher.abandon();
    expect([calling.isAborted('a'), calling.isAborted('b'), calling.dispatcher.hasInFlight]).toEqual([
      true,
      true,
      false,
    ]);
    await calling.answer('a');
    expect(calling.answers).toEqual([]);
    expect(calling.anotherEnters()).toBe(true);
  });
});

describe('a unit that is not registered in this process', () => {
  it('is waited for; the others are called, and no slot is taken', async () => {
    const calling = new Calling(['a', 'b'], { slots: 1 });
    calling.shell.unknown.add('acme.a');
    await calling.dispatch();
    expect(calling.called).toEqual(['b']);
    expect(calling.shell.awaited).toEqual([['acme.a', 'run']]);
    expect(calling.dispatcher.isWaitingForSlot).toBe(false);
  });

  it('is missing only when nothing of what waits can be called', async () => {
    const calling = new Calling(['a', 'b']);
    expect(calling.dispatcher.missingUnits()).toEqual([]);
    calling.shell.unknown.add('acme.a');
    expect(calling.dispatcher.missingUnits()).toEqual([]);
    calling.shell.unknown.add('acme.b');
    expect(calling.dispatcher.missingUnits()).toEqual(['acme.a', 'acme.b']);
    calling.run.send(cancel);
    expect(calling.dispatcher.missingUnits()).toEqual([]);
  });

  it('is named once, and not when the run waits for people', async () => {
    const twice = {
      units: [work('a'), { id: 'again', uses: 'acme.a' }],
      flow: { type: 'parallel', units: ['a', 'again'] },
    };
    const calling = new Calling([], { yaml: workflowYaml('w', twice) });
    calling.shell.unknown.add('acme.a');
    expect(calling.dispatcher.missingUnits()).toEqual(['acme.a']);
    const gated = new Calling([], { yaml: inSequence('w', [{ id: 'g', uses: 'builtin.approval' }]) });
    expect(gated.dispatcher.missingUnits()).toEqual([]);
  });
});

describe('the calls that are marked in the store', () => {
  it('are those that begin, and those that are over, each with its attempt', async () => {
    const calling = new Calling(['a', 'b'], {
      more: { policy: { concurrency: { maxParallelUnits: 1 } } },
    });
    const told: unknown[] = [];
    Object.assign(calling.shell.store, { keepsMarks: true });
    calling.shell.store.markCalls = (marks) => void told.push(marks);
    const mark = (unitId: string) => ({ runId: 'run', executionId: calling.idOf(unitId), attempt: 1 });
    await calling.dispatch();
    await calling.answer('a');
    await calling.dispatch();
    expect(told).toEqual([
      { begun: [mark('a')], ended: [] },
      { begun: [mark('b')], ended: [mark('a')] },
    ]);
  });
});

describe('a store that takes a while to mark calls', () => {
  /** A run over such a store, with two parallel units where nothing else is given; `keep`: it has kept the marks. */
  function marking(options: ConstructorParameters<typeof Calling>[1] = {}) {
    const calling = new Calling(['a', 'b'], options);
    Object.assign(calling.shell.store, { keepsMarks: true });
    const { promise, resolve } = Promise.withResolvers<void>();
    calling.shell.store.markCalls = () => promise;
    return { calling, keep: resolve };
  }

  it('is not waited for where nobody may have made the call before', async () => {
    const { calling } = marking();
    await calling.dispatch();
    expect(calling.called).toEqual(['a', 'b']);
  });

  it('is waited for where a process that died may have made it', async () => {
    const { calling, keep } = marking();
    calling.dispatcher.takeFromDead();
    expect(calling.dispatcher.followsDeath).toBe(true);
    await calling.dispatch();
    expect([calling.called, calling.dispatcher.hasInFlight]).toEqual([[], true]);
    keep();
    await settled();
    expect(calling.called).toEqual(['a', 'b']);
  });

  it('is waited for where the call counts as recovered, whenever the run is loaded', async () => {
    const { calling, keep } = marking();
    const begun = [{ executionId: calling.idOf('a'), attempt: 1 }];
    await calling.send({ type: 'recover', at: 2_000, begun });
    expect(calling.called).toEqual(['b']);
    keep();
    await settled();
    expect(calling.called).toEqual(['b', 'a']);
  });

  it('calls nothing of a run that became another process’s meanwhile, and keeps nothing in flight', async () => {
    const { calling, keep } = marking();
    calling.dispatcher.takeFromDead();
    await calling.dispatch();
    calling.shell.isOwner = false;
    keep();
    await settled();
    expect([calling.called, calling.dispatcher.hasInFlight, calling.slots]).toEqual([[], false, 2]);
  });

  it('is waited for where a turn has left the call to be made here', async () => {
    const { calling, keep } = marking();
    const mark = { runId: 'run', executionId: calling.idOf('a'), attempt: 1 };
    calling.dispatcher.isLeftTo(calling.idOf('a'), { mark });
    await calling.dispatch();
    expect(calling.called).toEqual(['b']);
    keep();
    await settled();
    expect(calling.called).toEqual(['b', 'a']);
  });

  it('hears that a call is over which was left to be made here, and is not made after all', async () => {
    const { calling } = marking();
    const ended: unknown[] = [];
    calling.shell.store.markCalls = (request) => void ended.push(...request.ended);
    const mark = { runId: 'run', executionId: 99, attempt: 1 };
    calling.dispatcher.isLeftTo(99, { mark });
    await calling.dispatch();
    expect(ended).toEqual([mark]);
  });

  it('calls nothing that was given up by the time that the mark is kept', async () => {
    const { calling, keep } = marking();
    calling.dispatcher.takeFromDead();
    await calling.dispatch();
    await calling.send(cancel);
    keep();
    await settled();
    expect([calling.called, calling.dispatcher.hasInFlight]).toEqual([[], false]);
  });

  it('is not waited for where the execution was scheduled since', async () => {
    const { calling } = marking({ yaml: inSequence('w', [work('a'), work('b')]) });
    calling.dispatcher.takeFromDead();
    await calling.dispatch();
    expect(calling.called).toEqual([]);
    await calling.send({
      type: 'unit-finished',
      at: 2_000,
      executionId: calling.idOf('a'),
      attempt: 1,
      output: 1,
      patch: null,
      usage: null,
      metadata: null,
    });
    expect([calling.called, calling.dispatcher.followsDeath]).toEqual([['b'], false]);
  });
});

describe('a unit in the queue', () => {
  const oneAtATime = { more: { policy: { concurrency: { maxParallelUnits: 1 } } } };

  it('is passed over when its run was cancelled', async () => {
    const calling = new Calling(['a', 'b'], oneAtATime);
    await calling.dispatch();
    await calling.send(cancel);
    expect([calling.called, calling.isAborted('a')]).toEqual([['a'], true]);
  });

  it('is not called before its retry is due, when an outcome in another process deferred it', async () => {
    const calling = new Calling(['a', 'b'], oneAtATime);
    await calling.dispatch();
    await calling.send(calling.failed('b', { retryAfterMs: 500 }));
    await calling.answer('a');
    await calling.dispatch();
    expect(calling.called).toEqual(['a']);
    await calling.shell.clock.advance(500);
    await calling.dispatch();
    expect(calling.called).toEqual(['a', 'b']);
  });
});

describe('a unit that cannot even be looked up', () => {
  it('reports what the plan has in its place', async () => {
    const calling = new Calling([], { yaml: inSequence('w', [work('a')]) });
    const order = [{ type: 'sequential', order: ['a'] }];
    const flow = { type: 'sequential', order };
    const { plan } = definitionOf(workflowYaml('w', { units: [work('a')], flow }));
    Object.assign(calling.definition, { plan });
    await calling.dispatch();
    expect(calling.answers).toEqual([
      expect.objectContaining({ type: 'undecided', error: expect.stringContaining('is no unit') }),
    ]);
  });

  it('pauses the run with the reason, and takes no slot', async () => {
    const calling = new Calling(['a'], { slots: 1 });
    calling.shell.units.executorFor = () => {
      throw new Error('a fault of ours');
    };
    await calling.dispatch();
    expect(calling.answers).toEqual([
      {
        type: 'undecided',
        at: calling.shell.clock.now(),
        executionId: calling.idOf('a'),
        error: 'a fault of ours',
      },
    ]);
    expect(calling.anotherEnters()).toBe(true);
  });
});
