/** The body of a unit call, as far as it is compared. */
export interface UnitCallBody {
  readonly input: { readonly token?: string };
  readonly state: Readonly<Record<string, unknown>>;
  readonly context: { readonly runId: string; readonly unitId: string };
}

export interface UnitCall {
  /** The number of the service's start after which it arrived. */
  readonly life: number;
  reply: 'none' | 'result' | 'failure';
}

/** All calls under one `Idempotency-Key`. */
export interface Execution {
  readonly key: string;
  readonly body: UnitCallBody;
  readonly calls: UnitCall[];
  /** The call whose result a client could see. */
  visibleCall: number | null;
}

/** The response of a unit: every call of every execution has a result of its own. */
export interface UnitResult {
  readonly executionKey: string;
  readonly call: number;
  readonly padding?: string;
}

const RESULT = /"executionKey":"([^"]+)","call":(\d+)/g;

/**
 * The calls of the units, and what clients could see of them. It records a fault when
 *
 * 1. a call has no key, or its key identifies another request (compared without attempt and deadlineAt);
 * 2. an execution is called again although its result was visible;
 * 3. an execution is called again in one process of the service although no call of that process had failed;
 * 4. two results of one execution are visible.
 */
export class ExecutionLedger {
  readonly faults = new Set<string>();
  /** Counts the starts of the service. */
  life = 0;
  calls = 0;
  private readonly executions = new Map<string, Execution & { readonly request: string }>();
  private readonly runsByToken = new Map<string, Set<string>>();
  private readonly keysByUnit = new Map<string, Set<string>>();

  get(key: string): Execution | undefined {
    return this.executions.get(key);
  }

  get size(): number {
    return this.executions.size;
  }

  /** How many calls were repetitions. */
  get repeatedCalls(): number {
    return this.calls - this.executions.size;
  }

  /** Records an arrival; returns the call's ordinal within its execution, from 1. */
  arrived(key: string | undefined, text: string): UnitResult {
    this.calls += 1;
    const body = JSON.parse(text) as UnitCallBody;
    const named = key ?? '';
    if (named === '') this.faults.add(`A call of ${body.context.unitId} came without an Idempotency-Key.`);
    const request = comparable(text);
    const execution = this.executions.get(named) ?? {
      key: named,
      body,
      calls: [],
      visibleCall: null,
      request,
    };
    this.executions.set(named, execution);
    this.checkArrival(execution, request);
    note(this.runsByToken, body.input.token ?? '', body.context.runId);
    note(this.keysByUnit, unitOf(body.context), named);
    // A result in the state of another unit's request left the service: it counts as seen.
    this.seen(text);
    execution.calls.push({ life: this.life, reply: 'none' });
    return { executionKey: named, call: execution.calls.length };
  }

  replied({ executionKey, call }: UnitResult, reply: 'result' | 'failure'): void {
    const entry = this.executions.get(executionKey)?.calls[call - 1];
    if (entry !== undefined) entry.reply = reply;
  }

  /** Records every result in a text that the service sent. */
  seen(text: string): void {
    for (const [, key = '', call] of text.matchAll(RESULT)) {
      const execution = this.executions.get(key);
      if (execution === undefined) {
        this.faults.add(`A result of ${key} is visible, and it was never called.`);
        continue;
      }
      execution.visibleCall ??= Number(call);
      if (execution.visibleCall !== Number(call)) {
        this.faults.add(`Two results of ${key} were visible: of call ${execution.visibleCall} and ${call}.`);
      }
    }
  }

  /** Executions that were called again although a call of theirs had been answered with a result. */
  answeredAndCalledAgain(): readonly string[] {
    return [...this.executions.values()]
      .filter(({ calls }) => calls.slice(0, -1).some(({ reply }) => reply === 'result'))
      .map(({ key, body }) => `${body.context.unitId} (${key})`);
  }

  /** The runs whose units were given this input. */
  runsOf(token: string): readonly string[] {
    return [...(this.runsByToken.get(token) ?? [])];
  }

  /** How many executions, each with a key of its own, the unit had in the run. */
  executionsOf(unit: { readonly runId: string; readonly unitId: string }): number {
    return this.keysByUnit.get(unitOf(unit))?.size ?? 0;
  }

  private checkArrival(execution: Execution & { readonly request: string }, request: string): void {
    const { key, visibleCall, calls } = execution;
    const unitId = execution.body.context.unitId;
    if (execution.request !== request) {
      this.faults.add(`The key ${key} stands for two requests:\n  ${execution.request}\n  ${request}`);
    }
    if (visibleCall !== null) {
      this.faults.add(
        `${unitId} (${key}) was called again in life ${this.life}: its call ${visibleCall} was visible.`,
      );
    }
    const before = calls.at(-1);
    if (before?.life === this.life && before.reply !== 'failure') {
      this.faults.add(`${unitId} (${key}) was called twice in life ${this.life}: ${before.reply} before.`);
    }
  }
}

function unitOf({ runId, unitId }: { readonly runId: string; readonly unitId: string }): string {
  return `${runId} ${unitId}`;
}

function note(index: Map<string, Set<string>>, entry: string, value: string): void {
  index.set(entry, (index.get(entry) ?? new Set()).add(value));
}

/** The request without what may differ between the calls of one execution. */
function comparable(text: string): string {
  const body = JSON.parse(text) as { context: Record<string, unknown> };
  const { attempt: _attempt, deadlineAt: _deadlineAt, ...context } = body.context;
  return JSON.stringify({ ...body, context });
}
