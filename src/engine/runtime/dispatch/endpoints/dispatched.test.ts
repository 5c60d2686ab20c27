import { workflowYaml } from '../../../../../test/support/engine.js';
import { definitionOf, FINISHED, LiveShell, settled } from '../../../../../test/support/live-shell.js';
import { ANN, SimulatedRun } from '../../../../../test/support/simulated-run.js';
import type { Signal } from '../../../core/signal.js';
import { InMemoryRunStore } from '../../../in-memory/in-memory-run-store.js';
import type { UnitOutcome } from '../../../ports/unit-executor.js';
import type { RunInMemory } from '../../run-shell.js';
import { Admission } from '../admission.js';
import { Dispatcher } from '../dispatcher.js';

const FAILED: UnitOutcome = {
  kind: 'failed',
  error: 'no',
  retryable: true,
  outcome: 'refused',
  retryAfterMs: null,
};

/** A run with parallel units that call one endpoint, which takes one call a minute, next to one without a limit. */
class Run {
  readonly simulated: SimulatedRun;
  readonly dispatcher: Dispatcher;
  readonly answers: Signal[] = [];
  slots = 0;

  constructor(
    readonly shell: LiveShell,
    ids: readonly string[],
    policy: object = { rateLimit: { maxRequestsPerMinute: 1 } },
  ) {
    const unit = (id: string) =>
      id.startsWith('free') ? { id, uses: 'acme.free' } : { id, uses: 'acme.call', policyOverrides: policy };
    const flow = { type: 'parallel', units: ids };
    const definition = definitionOf(workflowYaml('w', { units: ids.map(unit), flow }));
    this.simulated = new SimulatedRun(definition.plan);
    const live = { runId: ids.join(), definition, history: null };
    Object.defineProperty(live, 'durable', { get: () => this.simulated.state });
    this.dispatcher = new Dispatcher(live as unknown as RunInMemory, shell, {
      onOutcome: (signal) => void this.answers.push(signal),
      onSlot: () => void (this.slots += 1),
    });
    this.dispatch();
  }

  dispatch(): void {
    this.dispatcher.dispatch([], this.shell.clock.now());
  }

  async answer(unitId: string, answer: UnitOutcome = FINISHED): Promise<void> {
    this.shell.calls.findLast((call) => call.unitId === unitId)!.complete(answer);
    await settled();
  }

  send(signal: Signal): void {
    this.dispatcher.dispatch(this.simulated.send(signal), this.shell.clock.now());
  }
}

/** A run that the test does not use further. */
const another = (...given: ConstructorParameters<typeof Run>): Run => new Run(...given);

const MINUTE = 60_000;
const unlimited = { circuitBreaker: null, rateLimit: null };
const shellOf = (slots = 100): LiveShell => new LiveShell(new InMemoryRunStore(), new Admission(slots));

describe('the units of a run whose endpoint defers them', () => {
  it('keep the run in memory, and no other unit from being called', async () => {
    const shell = shellOf();
    const { dispatcher } = new Run(shell, ['a', 'b', 'free']);
    expect(shell.called).toEqual(['a', 'free']);
    expect(dispatcher.isWaitingForSlot).toBe(true);
    await shell.clock.advance(MINUTE);
    expect(shell.called).toEqual(['a', 'free', 'b']);
    expect(dispatcher.isWaitingForSlot).toBe(false);
  });

  it('notify the run when they may be called, which may have nothing to do then', async () => {
    const shell = shellOf();
    const run = new Run(shell, ['a', 'b']);
    shell.isClosing = true;
    await shell.clock.advance(MINUTE);
    expect([shell.called, run.slots, run.dispatcher.isWaitingForSlot]).toEqual([['a'], 1, false]);
  });

  it('are not called twice when the run was loaded in the meantime', async () => {
    const shell = shellOf();
    const run = new Run(shell, ['a', 'b', 'c']);
    run.dispatcher.startOver();
    run.dispatch();
    await shell.clock.advance(MINUTE);
    run.dispatcher.startOver();
    run.dispatch();
    await shell.clock.advance(MINUTE);
    expect(shell.called).toEqual(['a', 'b', 'c']);
  });

  it('leave the queue when the run is cancelled, suspended, or left', async () => {
    const ways: readonly ((run: Run) => void)[] = [
      (run) => run.send({ type: 'cancel', at: run.shell.clock.now(), by: ANN, graceMs: 0 }),
      (run) => run.send({ type: 'pause', at: run.shell.clock.now(), by: ANN, graceMs: 0 }),
      (run) => run.dispatcher.abandon(),
    ];
    for (const leave of ways) {
      const shell = shellOf();
      const first = new Run(shell, ['a', 'b']);
      const next = new Run(shell, ['c']);
      leave(first);
      if (first.answers.length > 0) first.send(first.answers[0]!);
      expect(first.dispatcher.isWaitingForSlot).toBe(false);
      await shell.clock.advance(MINUTE);
      expect(shell.called).toEqual(['a', 'c']);
      expect(next.dispatcher.isWaitingForSlot).toBe(false);
    }
  });

  it('leave the queue when a pause freezes them, and come back, last, when the run is resumed', async () => {
    const shell = shellOf();
    const run = new Run(shell, ['a', 'b']);
    another(shell, ['c']);
    const at = shell.clock.now();
    const executionId = run.simulated.log.find((event) => 'unitId' in event && event.unitId === 'b')!.seq;
    run.send({ type: 'undecided', at, executionId, error: 'no' });
    expect(run.dispatcher.isWaitingForSlot).toBe(false);
    await shell.clock.advance(MINUTE);
    expect(shell.called).toEqual(['a', 'c']);
    const pauseId = run.simulated.log.find(({ type }) => type === 'paused')!.seq;
    run.send({ type: 'resume', at, pauseId, by: ANN } as Signal);
    await shell.clock.advance(MINUTE);
    expect(shell.called).toEqual(['a', 'c', 'b']);
  });

  it('give way to the next when there is no slot among the executions, and come back', async () => {
    const shell = shellOf(1);
    const first = new Run(shell, ['a', 'b']);
    await first.answer('a');
    const busy = shell.admission.shareOf(
      { namespace: 'default', owner: null, workflowId: 'busy' },
      () => undefined,
    );
    expect(shell.admission.tryEnter(busy)).toBe(true);
    await shell.clock.advance(MINUTE);
    expect([shell.called, first.dispatcher.isWaitingForSlot]).toEqual([['a'], true]);
    shell.admission.leave(busy);
    expect(shell.called).toEqual(['a', 'b']);
  });

  it('are called again under the breaker after a failure, and what is aborted as a probe makes way', async () => {
    const shell = shellOf();
    const policy = { circuitBreaker: { failureThreshold: 1, resetMs: 1_000 } };
    const first = new Run(shell, ['a'], policy);
    await first.answer('a', FAILED);
    const probing = new Run(shell, ['b'], policy);
    another(shell, ['c'], policy);
    expect(shell.called).toEqual(['a']);
    await shell.clock.advance(1_000);
    expect(shell.called).toEqual(['a', 'b']);
    probing.dispatcher.abandon();
    expect(shell.called).toEqual(['a', 'b', 'c']);
  });

  it('wait for an unregistered unit without using the endpoint', async () => {
    const shell = shellOf();
    shell.unknown.add('acme.call');
    another(shell, ['a', 'b']);
    expect([shell.called, shell.awaited.length]).toEqual([[], 2]);
    shell.unknown.clear();
    another(shell, ['c']);
    expect(shell.called).toEqual(['c']);
  });

  it('leave nothing behind where they cannot be called when they are next', async () => {
    const ways: readonly ((shell: LiveShell) => void)[] = [
      (shell) => void shell.unknown.add('acme.call'),
      // The run is cancelled, but the dispatcher does not learn of it before the call may be made.
      (shell) => void runs.get(shell)!.simulated.send({ type: 'cancel', at: 0, by: ANN, graceMs: 0 }),
    ];
    const runs = new Map<LiveShell, Run>();
    for (const hinder of ways) {
      const shell = shellOf();
      const run = new Run(shell, ['a', 'b']);
      runs.set(shell, run);
      await run.answer('a');
      hinder(shell);
      await shell.clock.advance(3 * MINUTE);
      expect(shell.called).toEqual(['a']);
      const { endpoints } = shell.units;
      endpoints.enqueue(
        'another',
        { namespace: 'default', workflow: 'w', waiting: 0, onAvailable: () => undefined },
        1,
        unlimited,
      );
      expect(endpoints.size).toBe(1);
    }
  });

  it('come before other units of their run once they may be called', async () => {
    const shell = shellOf(1);
    const run = new Run(shell, ['a', 'b', 'free1', 'free2']);
    await shell.clock.advance(MINUTE);
    expect(shell.called).toEqual(['a']);
    await run.answer('a');
    await run.answer('b');
    expect(shell.called).toEqual(['a', 'b', 'free1']);
  });
});
