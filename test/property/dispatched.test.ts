import fc from 'fast-check';
import { foldLog } from '../../src/engine/core/fold-log.js';
import { isCheckpoint } from '../../src/engine/core/log/checkpoint.js';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import { nextWakeUp } from '../../src/engine/core/next-wake-up.js';
import { pending, type Command } from '../../src/engine/core/pending.js';
import type { Signal } from '../../src/engine/core/signal.js';
import { INITIAL_STATE } from '../../src/engine/core/state/state.js';
import { isEnding } from '../../src/engine/core/state/status.js';
import { openChildrenOf } from '../../src/engine/core/family/family-orders.js';
import { openRequestedPause } from '../../src/engine/core/waits/pause.js';
import { Admission } from '../../src/engine/runtime/dispatch/admission.js';
import { LiveRun } from '../../src/engine/runtime/mailbox/live-run.js';
import { InMemoryRunStore } from '../../src/engine/in-memory/in-memory-run-store.js';
import { definitionOf, LiveShell, settled } from '../support/live-shell.js';
import { guardedPlan } from '../support/guarded-plan.js';
import { ANN } from '../support/simulated-run.js';
import type { Dice } from '../support/wandering-run.js';
import { workflowText } from '../support/workflow-arbitrary.js';

const numRuns = Number(process.env['FLOWGATE_PROPERTY_RUNS'] ?? 200);
const STEPS = 25;
/** The time-out of one case, so that a case that hangs is reported. */
const CASE_MS = 60_000;

const dice = fc.infiniteStream(fc.nat(0xffff)).map(
  (stream): Dice =>
    () =>
      stream.next().value!,
);

/** The workflow, with bounds of all kinds on how many of its units are called, and when. */
function bounded(text: string, roll: Dice): string {
  const document = JSON.parse(text) as {
    readonly spec: { readonly units: Record<string, unknown>[]; policy?: Record<string, unknown> };
  };
  const { spec } = document;
  const maxParallelUnits = roll() % 3 === 0 ? 100 : 1 + (roll() % 3);
  const onExceed = roll() % 2 === 0 ? 'pause' : 'fail';
  const budget = roll() % 3 === 0 ? { budget: { maxTokens: 1 + (roll() % 20), onExceed } } : {};
  spec.policy = { ...spec.policy, concurrency: { maxParallelUnits }, ...budget };
  for (const unit of spec.units) {
    if (String(unit['uses']).startsWith('builtin.')) continue;
    const rateLimit = roll() % 4 === 0 ? { rateLimit: { maxRequestsPerMinute: 1 + (roll() % 3) } } : {};
    const circuitBreaker = { failureThreshold: 1 + (roll() % 2), resetMs: 1_000 };
    const overrides = { ...rateLimit, ...(roll() % 4 === 0 ? { circuitBreaker } : {}) };
    unit['policyOverrides'] = { ...(unit['policyOverrides'] as object | undefined), ...overrides };
  }
  return JSON.stringify(document);
}

/** A live run of a process with few slots, to which anything may happen. */
class Wandering {
  readonly store = new InMemoryRunStore();
  readonly shell: LiveShell;
  readonly run: LiveRun;
  /** While this is set, deciding fails wherever an expression is evaluated. */
  private isBroken = false;

  constructor(
    text: string,
    private readonly roll: Dice,
  ) {
    this.shell = new LiveShell(this.store, new Admission(1 + (roll() % 6)));
    const definition = definitionOf(bounded(text, roll));
    const plan = guardedPlan(definition.plan, () => {
      if (this.isBroken) throw new Error('A fault of ours.');
    });
    this.run = new LiveRun('run', { ...definition, plan }, this.shell);
    this.run.isOwned = true;
  }

  start(): void {
    const start = { runId: 'run', namespace: 'default', input: { n: 1 }, labels: {}, by: ANN } as const;
    this.send({ type: 'start', at: this.now, ...start, origin: { type: 'client' }, parent: null });
  }

  /** Makes one thing happen, or several before the run can decide upon the first. */
  async step(): Promise<void> {
    this.isBroken = this.roll() % 8 === 0;
    for (let actions = 1 + (this.roll() % 3); actions > 0; actions -= 1) await this.act();
    await settled();
    this.isBroken = false;
  }

  private get now(): number {
    return this.shell.clock.now();
  }

  private send(...signals: readonly Signal[]): void {
    this.run.send(signals).catch(() => undefined);
  }

  private async act(): Promise<void> {
    const at = this.now;
    switch (this.roll() % 16) {
      case 0:
        return this.rewind();
      case 1:
        return this.send({ type: 'pause', at, by: ANN, graceMs: this.roll() % 2 === 0 ? 0 : 500 });
      case 2:
        // Rare: it ends the run.
        if (this.roll() % 4 === 0) this.send({ type: 'cancel', at, by: ANN, graceMs: this.roll() % 500 });
        return;
      case 3:
        // It is not waited for: after a fault that comes twice it is tried again when time has passed.
        void this.run.refresh().catch(() => undefined);
        return;
      case 4:
      case 5:
        return this.ring(this.roll() % 40_000);
      case 6:
        return this.send({ type: 'resume', at, pauseId: null, by: ANN, budget: this.budget() });
      case 7:
      case 8:
      case 9: {
        const commands = pending(this.run.durable);
        const command = commands[this.roll() % Math.max(1, commands.length)];
        return command === undefined ? undefined : this.answer(command);
      }
      default:
        this.answerCall();
    }
  }

  /** Lets time pass, and wakes the run if a wake-up is due. */
  private async ring(ms: number): Promise<void> {
    await this.shell.clock.advance(ms);
    const alarm = this.shell.wakeUps.at(-1) ?? null;
    if (alarm === null || alarm > this.now) return;
    this.run.woken();
    // The caller is given the fault.
    void this.run.deliver({ type: 'timer-due', at: this.now }).catch(() => undefined);
  }

  private budget() {
    return this.roll() % 2 === 0 ? null : { maxTokens: this.roll() % 60, maxCost: null };
  }

  private answerCall(): void {
    const open = this.shell.calls.filter(({ signal }) => !signal.aborted);
    const call = open[this.roll() % Math.max(1, open.length)];
    if (call === undefined) return;
    if (this.roll() % 3 === 0) {
      const [retryable, outcome] = [
        this.roll() % 2 === 0,
        this.roll() % 2 === 0 ? 'unknown' : 'refused',
      ] as const;
      const retryAfterMs = this.roll() % 2 === 0 ? 0 : 500;
      return call.complete({ kind: 'failed', error: 'no', retryable, outcome, retryAfterMs });
    }
    const usage = this.roll() % 2 === 0 ? { tokens: this.roll() % 9, cost: 0 } : null;
    call.complete({ kind: 'finished', output: 1, patch: null, usage, metadata: null });
  }

  private answer(command: Command): void {
    const at = this.now;
    switch (command.type) {
      case 'await-decision': {
        const approved = this.roll() % 4 !== 0;
        const { gateId } = command;
        return this.send({
          type: 'decision',
          at,
          gateId,
          approved,
          responder: 'ann',
          by: ANN,
          comment: null,
        });
      }
      case 'await-resume': {
        const { pauseId } = command;
        const asked = { at, by: ANN, budget: this.budget() };
        const { seq: seenSeq } = this.run.durable;
        return this.send({ type: 'resume', pauseId, ...asked }, { type: 'resume-family', seenSeq, ...asked });
      }
      case 'see-to-child': {
        const { childRunId, key, toldSeq } = command.child;
        const status = (['completed', 'failed'] as const)[this.roll() % 2]!;
        const usage = { tokens: this.roll() % 9, cost: 0 };
        const end = { output: {}, error: status === 'failed' ? 'no' : null, usage, seq: toldSeq + 1 };
        return this.send({ type: 'child-ended', at, childRunId, key, status, ...end });
      }
      default:
    }
  }

  private async rewind(): Promise<void> {
    const page = await this.store.readEvents({ runId: 'run', afterSeq: 0, limit: 10_000 });
    const log = page as readonly RunEvent[];
    const checkpoints = log.filter(isCheckpoint);
    const to = checkpoints[this.roll() % Math.max(1, checkpoints.length)];
    if (to === undefined) return;
    const baseState = foldLog(INITIAL_STATE, log.slice(0, to.seq));
    this.send({ type: 'rewind', at: this.now, toSeq: to.seq, baseState, by: ANN });
  }

  /** Checks that the dispatcher has exactly what is pending, and that something will come of all of it. */
  check(): void {
    const { run, shell } = this;
    const { durable, dispatcher } = run;
    expect(run.isUnderWay || !dispatcher.hasInFlight).toBe(true);
    const commands = pending(durable);
    const calls = commands.flatMap((command) => (command.type === 'execute-unit' ? [command.execution] : []));
    const ids = new Set(calls.map(({ id }) => id));
    const held = dispatcher.stages();
    expect([...ids].filter((id) => !held.has(id))).toEqual([]);
    // An outcome that could not be decided upon is kept while a pause freezes its execution.
    const others = [...held].filter(([id, how]) => how !== 'queued' && how !== 'answered' && !ids.has(id));
    expect(others).toEqual([]);
    const answered = [...held].filter(
      ([id, how]) => ids.has(id) && (how === 'answered' || how === 'refused'),
    );
    // Else it is offered to the store again.
    if (answered.length > 0) expect(run.isUnderWay).toBe(true);
    const children = commands.flatMap((command) =>
      command.type === 'see-to-child' ? [command.child.id] : [],
    );
    const seenTo = new Set(shell.seenTo.map(({ id }) => id));
    // A child of a run with a budget that is not begun waits among the calls.
    const toBegin = children.filter((id) => !seenTo.has(id));
    expect(toBegin.filter((id) => held.get(id) !== 'queued')).toEqual([]);
    // What is over keeps the pause that was open.
    const isWindingDown =
      durable.phase === 'live' && (isEnding(durable) || openRequestedPause(durable) !== undefined);
    const ready = calls.filter(({ id, retryAt }) => held.get(id) === 'queued' && retryAt <= this.now);
    if (ready.length + toBegin.length > 0 && !isWindingDown) {
      // The others wait for its reservation.
      const isChildMoving = openChildrenOf(durable).some(
        ({ id, standing }) => standing === 'in-flight' && seenTo.has(id),
      );
      expect(dispatcher.hasInFlight || dispatcher.isWaitingForSlot || isChildMoving).toBe(true);
    }
    if (isWindingDown) expect(run.isUnderWay || nextWakeUp(durable, this.now) !== null).toBe(true);
    expect(shell.wakeUps.at(-1) ?? null).toBe(nextWakeUp(durable, this.now));
  }
}

it(
  'after every turn, a live run works on exactly what its stored state requires',
  async () => {
    await fc.assert(
      fc.asyncProperty(workflowText, dice, async (text, roll) => {
        const wandering = new Wandering(text, roll);
        wandering.start();
        await settled();
        wandering.check();
        for (let step = 0; step < STEPS; step += 1) {
          await wandering.step();
          wandering.check();
        }
        wandering.run.releaseOwnership();
      }),
      { numRuns, timeout: CASE_MS },
    );
  },
  Math.max(240_000, numRuns * 400),
);
