import type { RunEvent } from '../../src/engine/core/log/event.js';
import { isCheckpoint } from '../../src/engine/core/log/checkpoint.js';
import type { JsonValue } from '../../src/engine/core/json.js';
import { pending, type Command } from '../../src/engine/core/pending.js';
import type { Plan } from '../../src/engine/core/plan/plan.js';
import type { Child } from '../../src/engine/core/waits/child.js';
import { executionOf, type Execution } from '../../src/engine/core/waits/execution.js';
import { openPausesOf } from '../../src/engine/core/waits/pause.js';
import type { RunBudget } from '../../src/engine/core/state/run-budget.js';
import type { Budget } from '../../src/engine/core/turn/limits/budget.js';
import { ANN, SimulatedRun } from './simulated-run.js';

/** The next number of a long random list. */
export type Dice = () => number;

/** What units answer now and then, that a codec could take for something of its own. */
const OUTPUTS: readonly JsonValue[] = [
  1,
  'text',
  null,
  { $map: [['key', { $map: [] }]] },
  [['$map', []], { waits: [{ id: 1, kind: 'gate' }] }],
  { input: { scopes: [] }, value: { cursor: { phase: 'forked' } } },
  { constructor: 1, toString: 2 },
];

/**
 * A run to which all sorts of things happen: units that answer, fail and are retried, decisions, pauses and resumes,
 * rewinds, recoveries, decisions that could not be made, budgets that are given and used up, limits that are reached and
 * raised, keyed requests, retries and waits that fall due, cancels with and without a clean-up, pauses on request, children
 * that come to their ends, pause, and are notified late.
 */
export class WanderingRun {
  readonly run: SimulatedRun;
  private at = 2_000;

  constructor(
    plan: Plan,
    private readonly dice: Dice,
    budget: (() => Budget) | null = null,
  ) {
    const limits = { maxStateChars: dice() % 4 === 0 ? 400 + (dice() % 3_000) : Infinity };
    this.run = new SimulatedRun(plan, limits, { n: 1 }, budget);
  }

  wander(steps: number, afterTurn: (events: readonly RunEvent[]) => void = () => undefined): void {
    for (let step = 0; step < steps; step++) {
      this.at += this.dice() % 40;
      const before = this.run.log.length;
      this.step();
      afterTurn(this.run.log.slice(before));
    }
  }

  private step(): void {
    const { run, at } = this;
    switch (this.dice() % 20) {
      case 0:
        this.rewind();
        return;
      case 1:
        run.send({ type: 'timer-due', at });
        return;
      case 2:
        run.send({ type: 'note', at, request: 'hitl' });
        return;
      case 3:
        this.recover();
        return;
      case 4:
        this.leaveUndecided();
        return;
      case 5:
        this.exceedBudget();
        return;
      case 6:
        // A cancel ends the run, so it is rare: what comes before and after it is to be seen as well.
        run.send({ type: this.dice() % 3 === 0 ? 'cancel' : 'pause', at, by: ANN, graceMs: this.grace() });
        return;
      default:
        this.goOn();
    }
  }

  private grace(): number {
    return this.dice() % 2 === 0 ? 0 : this.dice() % 200;
  }

  private goOn(): void {
    const { run, at } = this;
    const commands = pending(run.state);
    const isSettled = run.isWindingDown && (commands.length === 0 || this.dice() % 3 === 0);
    if (isSettled) run.send({ type: 'in-flight-ended', at });
    else if (commands.length > 0) this.answer(commands[this.dice() % commands.length]!);
    else if (run.state.phase === 'failed')
      run.send({ type: 'resume', at, pauseId: null, by: ANN, budget: this.budget() });
    else this.rewind();
  }

  private answer(command: Command): void {
    const { run, at } = this;
    switch (command.type) {
      case 'execute-unit':
        this.answerCall(command.execution);
        return;
      case 'await-decision': {
        const approved = this.dice() % 4 !== 0;
        const { gateId } = command;
        run.send({ type: 'decision', at, gateId, approved, responder: 'ann', by: ANN, comment: null });
        return;
      }
      case 'await-resume': {
        run.limits = { maxStateChars: (run.limits.maxStateChars ?? Infinity) * (1 + (this.dice() % 2)) };
        const { seq: seenSeq } = run.state;
        const asked = { at, by: ANN, budget: this.budget() };
        run.send({ type: 'resume', pauseId: command.pauseId, ...asked });
        run.send({ type: 'resume-family', seenSeq, ...asked });
        return;
      }
      case 'await-timer':
        run.send({ type: 'timer-due', at: Math.max(at, command.dueAt) });
        return;
      case 'see-to-child':
        this.answerChild(command.child);
    }
  }

  private answerChild({ childRunId, key, toldSeq, standing, heardSeq }: Child): void {
    const { run, at } = this;
    const isPaused = standing !== 'people';
    const seq = heardSeq + 1;
    const child = { at, childRunId, key };
    switch (this.dice() % 8) {
      case 0:
        run.send({ type: 'child-refused', ...child, error: 'there is no such workflow' });
        return;
      case 1:
      case 2:
        run.send({
          type: 'child-stands',
          ...child,
          isPaused,
          seq,
          stoppedSeq: isPaused ? seq : 0,
          followedSeq: 0,
          isFollowing: false,
          isApart: false,
        });
        return;
      default:
        this.endChild(child, toldSeq);
    }
  }

  /** Now and then a notification is older than what is known. */
  private endChild(
    child: { readonly at: number; readonly childRunId: string; readonly key: number },
    toldSeq: number,
  ) {
    const status = (['completed', 'failed', 'cancelled'] as const)[this.dice() % 3]!;
    const output = { 'output.inner': OUTPUTS[this.dice() % OUTPUTS.length]! };
    const usage = { tokens: this.dice() % 9, cost: (this.dice() % 4) / 2 };
    const error = status === 'completed' ? null : 'broken';
    const seq = this.dice() % 5 === 0 ? toldSeq : toldSeq + 1;
    const decision = { approved: true, responder: 'eve', decidedAt: child.at };
    const decided = this.dice() % 3 === 0 ? { decided: decision } : {};
    this.run.send({ type: 'child-ended', ...child, status, output, error, usage, seq, ...decided });
  }

  private answerCall({ id: executionId, attempt, unitId, input }: Execution): void {
    const { run, at } = this;
    const { uses } = run.plan.units.get(unitId)!;
    if (uses === 'fail' || this.dice() % 8 === 0) {
      const retryable = this.dice() % 2 === 0;
      const outcome = this.dice() % 2 === 0 ? 'unknown' : 'refused';
      const answer = { executionId, attempt, error: 'broken', retryable, outcome } as const;
      run.send({ type: 'unit-attempt-failed', at, ...answer, retryAfterMs: this.dice() % 50 });
      return;
    }
    const given = (input ?? {}) as { readonly route?: string; readonly specialists?: readonly string[] };
    const delegations = (given.specialists ?? []).map((targetUnitId) => ({ targetUnitId, task: at }));
    const isAsked = uses === 'orchestrate' && this.dice() % 2 === 0;
    const metadata = uses === 'route' ? { route: given.route ?? '' } : isAsked ? { delegations } : null;
    const output = OUTPUTS[this.dice() % OUTPUTS.length]!;
    const patch = this.dice() % 5 === 0 ? { [`key${this.dice() % 3}`]: 'x'.repeat(this.dice() % 60) } : null;
    const usage = this.dice() % 3 === 0 ? { tokens: 2, cost: 0.5 } : null;
    run.send({ type: 'unit-finished', at, executionId, attempt, output, patch, usage, metadata });
  }

  private rewind(): void {
    const checkpoints = this.run.log.filter(isCheckpoint);
    const to = checkpoints[this.dice() % Math.max(1, checkpoints.length)];
    if (to !== undefined) this.run.rewind(to.seq);
  }

  private recover(): void {
    const { run, at } = this;
    const begun = run.log
      .filter(({ type }) => type === 'unit-scheduled')
      .filter(() => this.dice() % 3 !== 0)
      .map(({ seq }) => ({ executionId: seq, attempt: executionOf(run.state, seq)?.attempt ?? 1 }));
    run.send({ type: 'recover', at, begun });
  }

  /** Mostly none. */
  private budget(): RunBudget | null {
    if (this.dice() % 3 !== 0) return null;
    const maxTokens = this.dice() % 2 === 0 ? null : this.dice() % 12;
    return { maxTokens, maxCost: this.dice() % 3 === 0 ? (this.dice() % 12) / 4 : null };
  }

  private exceedBudget(): void {
    const { run, at } = this;
    const calls = pending(run.state).filter(({ type }) => type === 'execute-unit');
    const call = calls[this.dice() % Math.max(1, calls.length)];
    const executionId = call?.type === 'execute-unit' ? call.execution.id : this.dice() % 20;
    run.send({ type: 'budget-exceeded', at, executionId });
  }

  private leaveUndecided(): void {
    const { run, at } = this;
    const calls = pending(run.state).filter(({ type }) => type === 'execute-unit');
    const call = calls[this.dice() % (calls.length + 1)];
    const executionId = call?.type === 'execute-unit' ? call.execution.id : null;
    run.send({ type: 'undecided', at, executionId, error: 'No way.' });
    const pauseId = openPausesOf(run.state).at(-1);
    if (this.dice() % 2 === 0 || pauseId === undefined) return;
    run.send({ type: 'resume', at, pauseId, by: ANN });
  }
}
