import { decide } from '../../src/engine/core/decide.js';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import { inputOf } from '../../src/engine/core/state/execution-input.js';
import { foldLog } from '../../src/engine/core/fold-log.js';
import { anonymous } from '../../src/engine/core/log/actor.js';
import type { JsonObject, JsonValue } from '../../src/engine/core/json.js';
import { pending, type Command } from '../../src/engine/core/pending.js';
import type { Plan } from '../../src/engine/core/plan/plan.js';
import type { Continuation, NewFork, Signal } from '../../src/engine/core/signal.js';
import { INITIAL_STATE, type RunState } from '../../src/engine/core/state/state.js';
import { recordedState, viewOf } from '../../src/engine/core/state/view/state-view.js';
import { isEnding, statusOf } from '../../src/engine/core/state/status.js';
import { evaluateVars } from '../../src/engine/core/turn/run-vars.js';
import { UNBOUNDED, type Budget } from '../../src/engine/core/turn/limits/budget.js';
import { NO_LIMITS, type Limits } from '../../src/engine/core/turn/limits/limits.js';
import type { Execution } from '../../src/engine/core/waits/execution.js';
import { openRequestedPause } from '../../src/engine/core/waits/pause.js';
import { compileWorkflow } from '../../src/engine/language/compiler/compile.js';
import { parseDocument } from '../../src/engine/language/parse-document.js';

export const ANN = anonymous('in-process', 'ann');

export function compileText(text: string): Plan {
  const names = { sourceOf: () => 'in-process' as const, known: () => [], bound: () => [] };
  return compileWorkflow(parseDocument(text, { apiGroups: ['flowgate'] }), names).plan;
}

interface ForkOptions {
  readonly edits?: NewFork['edits'];
  readonly before?: NewFork['before'];
  /** Another definition of the workflow. */
  readonly plan?: Plan;
  /** In place of the run's own. */
  readonly input?: JsonObject;
}

/** Picks one of the commands that are outstanding. */
export type Choose = (count: number) => number;

/** What became of a run, without what depends on timing. */
export interface Outcome {
  readonly status: string;
  readonly state: JsonObject;
  /** Every execution: where, in which scope, with which input and which view of the state. */
  readonly executions: readonly string[];
  /** Whether anything failed permanently, even where a branch continued all the same. */
  readonly hasFailures: boolean;
}

/**
 * A run without a shell: its own log, units whose answers depend only on where they run and what they read,
 * and a process that can be stopped after any event.
 */
export class SimulatedRun {
  log: RunEvent[] = [];
  state: RunState = INITIAL_STATE;
  private now = 1_000;
  private readonly executions = new Map<string, string>();
  /** Whether what a preempted turn left waits for `proceed`, while other signals come; null: it never does. */
  postpones: (() => boolean) | null = null;
  private readonly postponed: Continuation[] = [];

  constructor(
    readonly plan: Plan,
    public limits: Partial<Limits> = {},
    private readonly input: JsonObject = { n: 1 },
    /** What each turn may do before it is preempted; null: all. */
    private readonly budget: (() => Budget) | null = null,
    /** Where it begins, if that is where another run was; null: at the start. */
    private readonly begins: NewFork | null = null,
    /** Those of the run that it is a fork of, where they stay. */
    private readonly keptVars?: JsonObject,
  ) {
    this.start();
  }

  /** Answers commands, in the order that `choose` wants, until nothing is outstanding. */
  finish(choose: Choose, afterEach: () => void = () => undefined): Outcome {
    for (let steps = 0; steps < 3_000; steps++) {
      const commands = pending(this.state);
      // The dispatcher says when none is in flight any more; it may be so before all that are open were answered.
      const mayEnd = this.isWindingDown ? 1 : 0;
      if (commands.length + mayEnd === 0) return this.outcome();
      const chosen = commands[choose(commands.length + mayEnd)];
      if (chosen === undefined) this.send({ type: 'in-flight-ended', at: ++this.now });
      else this.answer(chosen);
      afterEach();
    }
    throw new Error('The run does not come to an end.');
  }

  /** The process crashes: of the log, `length` events were written. It starts again and continues. */
  crash(length: number): void {
    this.log = this.log.slice(0, length);
    this.state = this.fold();
    if (this.log.length === 0) this.start();
    else this.send({ type: 'continue', at: this.now });
  }

  /** Somebody cancels the run, or pauses it; what is in flight may have a moment. */
  ask(type: 'cancel' | 'pause', graceMs: number): readonly RunEvent[] {
    return this.send({ type, at: ++this.now, by: ANN, graceMs });
  }

  /** What is in flight is waited for, and nothing new is called. */
  get isWindingDown(): boolean {
    const { state } = this;
    return state.phase === 'live' && (isEnding(state) || openRequestedPause(state) !== undefined);
  }

  /** Another run that begins where this one was after event `fromSeq`; 0: that begins anew. */
  fork(fromSeq: number, { edits = {}, before, plan = this.plan, input }: ForkOptions = {}): SimulatedRun {
    const source = fromSeq === 0 ? null : this.fold(fromSeq);
    const fork = { fromRunId: this.state.runId, source, edits, ...(before === undefined ? {} : { before }) };
    const kept = plan === this.plan && input === undefined ? this.state.vars : undefined;
    return new SimulatedRun(plan, this.limits, input ?? this.input, this.budget, fork, kept);
  }

  /** The state after event `seq`, folded from the log. */
  fold(seq = this.log.length): RunState {
    return foldLog(INITIAL_STATE, this.log.slice(0, seq), undefined, this.begins?.source);
  }

  /** Goes back to the state after event `toSeq`. */
  rewind(toSeq: number): readonly RunEvent[] {
    const baseState = this.fold(toSeq);
    return this.send({ type: 'rewind', at: ++this.now, toSeq, baseState, by: ANN });
  }

  send(signal: Signal): readonly RunEvent[] {
    const before = this.log.length;
    if (signal.type !== 'timer-due' || this.budget === null) this.decide(signal, this.budget?.());
    else this.oneByOne(signal);
    return this.log.slice(before);
  }

  private decide(signal: Signal, budget: Budget = UNBOUNDED): void {
    const limits = { ...NO_LIMITS, ...this.limits };
    const { events, state, continuation } = decide(
      this.plan,
      this.state,
      signal,
      limits,
      budget,
      this.isMidTurn,
    );
    this.log.push(...events);
    this.state = state;
    if (continuation === null) return;
    if (this.postpones?.() === true) this.postponed.push(continuation);
    else this.decide({ type: 'continue', at: signal.at, continuation }, this.budget?.());
  }

  /** Continues the oldest turn that waits for it. False: none does. */
  proceed(): boolean {
    const continuation = this.postponed.shift();
    if (continuation !== undefined)
      this.decide({ type: 'continue', at: ++this.now, continuation }, this.budget?.());
    return this.postponed.length > 0;
  }

  get isMidTurn(): boolean {
    return this.postponed.length > 0;
  }

  /** A turn may be preempted between two that are due: then their wake-up fires again, and in between a thread moved. */
  private oneByOne(signal: Signal): void {
    for (let before = -1; before < this.log.length;) {
      before = this.log.length;
      this.decide(signal, { ...UNBOUNDED, events: 1 });
    }
  }

  private start(): void {
    const vars = this.vars();
    this.send({
      type: 'start',
      at: this.now,
      runId: this.runId,
      namespace: 'default',
      input: this.input,
      labels: {},
      by: ANN,
      origin: { type: this.begins === null ? 'client' : 'fork' },
      parent: null,
      ...(this.begins === null ? {} : { fork: this.begins }),
      ...(vars === undefined ? {} : { vars }),
    });
  }

  private get runId(): string {
    return this.begins === null ? 'run' : `fork-of-${this.begins.fromRunId}`;
  }

  /** What the starter evaluates before it makes a run. */
  private vars(): JsonObject | undefined {
    const { plan, input, runId } = this;
    if (plan.vars.length === 0) return undefined;
    if (this.keptVars !== undefined) return this.keptVars;
    const run = { runId, workflowId: plan.workflowId, createdAt: this.now };
    const result = evaluateVars(plan, { input, run });
    if (!result.ok) throw new Error(result.problem);
    return result.vars;
  }

  answer(command: Command): void {
    const at = ++this.now;
    switch (command.type) {
      case 'execute-unit':
        this.execute(command.execution, at);
        return;
      case 'await-decision':
        this.send({
          type: 'decision',
          at,
          gateId: command.gateId,
          approved: true,
          responder: 'ann',
          by: ANN,
          comment: null,
        });
        return;
      case 'await-resume': {
        const { seq: seenSeq } = this.state;
        this.send({ type: 'resume', at, pauseId: command.pauseId, by: ANN });
        this.send({ type: 'resume-family', at, seenSeq, by: ANN });
        return;
      }
      case 'await-timer':
        this.now = Math.max(this.now, command.dueAt);
        this.send({ type: 'timer-due', at: this.now });
        return;
      case 'see-to-child': {
        const { childRunId, key, path, scope } = command.child;
        const output = { 'output.inner': hash(`${path} in ${scope}`) };
        const usage = { tokens: 1, cost: 0 };
        this.send({
          type: 'child-ended',
          at,
          childRunId,
          key,
          status: 'completed',
          output,
          error: null,
          usage,
          seq: 9,
        });
      }
    }
  }

  private execute(execution: Execution, at: number): void {
    const { id: executionId, attempt, scope, path, unitId } = execution;
    const input = inputOf(this.state, execution);
    const unit = this.plan.units.get(unitId)!;
    const view = viewOf(this.plan, this.state, scope);
    const seen = [...view.keys()]
      .sort()
      .map((key) => `${key}=${JSON.stringify(withoutTimes(view.get(key) ?? null))}`);
    const location = `${path} in ${scope || 'root'} with ${JSON.stringify(input)} reading ${seen.join(' ')}`;
    if (attempt === 1) this.executions.set(`${executionId}`, location);
    const finished = (output: JsonValue, metadata: JsonObject | null = null): void => {
      this.send({
        type: 'unit-finished',
        at,
        executionId,
        attempt,
        output,
        patch: null,
        usage: null,
        metadata,
      });
    };
    const given = input as JsonObject;
    switch (unit.uses) {
      case 'fail':
        this.send({
          type: 'unit-attempt-failed',
          at,
          executionId,
          attempt,
          error: 'broken',
          retryable: attempt === 1,
          outcome: 'refused',
          retryAfterMs: null,
        });
        return;
      case 'route':
        finished('routed', { route: given['route'] ?? null });
        return;
      case 'orchestrate': {
        // Whoever wanders may have answered it with anything.
        const known = view.get(`output.${unitId}`);
        const before = typeof known === 'number' ? known : 0;
        const delegations = (given['specialists'] as string[]).map((targetUnitId) => ({
          targetUnitId,
          task: before,
        }));
        const isDone = before >= (given['rounds'] as number);
        finished(isDone ? 0 : before + 1, { delegations: isDone ? [] : delegations });
        return;
      }
      default:
        finished(hash(location));
    }
  }

  private outcome(): Outcome {
    return {
      status: statusOf(this.state),
      state: withoutTimes(recordedState(this.state)) as JsonObject,
      executions: [...this.executions.values()].sort(),
      hasFailures: this.log.some(isFailure),
    };
  }
}

function isFailure(event: RunEvent): boolean {
  if (event.type === 'branch-closed') return event.error !== null;
  if (event.type === 'failure-caught') return true;
  return event.type === 'unit-failed' || event.type === 'run-failed';
}

function withoutTimes(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value, (key, field) => (key === 'decidedAt' ? 0 : field))) as JsonValue;
}

function hash(text: string): number {
  let sum = 0;
  for (const char of text) sum = (sum * 31 + char.charCodeAt(0)) % 1_000_003;
  return sum;
}
