import { messageOf } from '../../errors/flowgate-error.js';
import type { JsonValue } from '../core/json.js';
import type { EngineLogger } from '../ports/logger.js';
import type {
  CallContext,
  ExecuteOptions,
  UnitOutcome,
  UnitExecutor,
  UnitRequest,
} from '../ports/unit-executor.js';
import { excerpt, failedOutcome, interpretResult, type Quote } from './outcome.js';
import { maskOutcome } from './masking/mask-outcome.js';
import type { SecretFinder } from './masking/secret-finder.js';
import { finderOf } from './masking/secret-forms.js';
import { ContextOfCall, type UnitContext } from './unit-context.js';
import { unitLogger, type UnitLogger } from './unit-logger.js';

/**
 * A unit that is code of this process. Its result is read like a remote unit's: an object with `content` is an envelope
 * (`UnitReply`), anything else is the output. An error that it throws is a failure that is tried again, unless it is a
 * `NonRetryableError` (or has `retryable: false`). `Input` is what the code assumes: nothing checks it unless the unit was
 * registered with an `input` check.
 */
export type UnitHandler<Input = JsonValue, Output = unknown> = (
  request: UnitRequest<Input>,
  context: UnitContext,
) => UnitResult<Output> | PromiseLike<UnitResult<Output>>;

export type UnitResult<Output = unknown> = Output | UnitReply<Output>;

/** A result that says more than its output. */
export interface UnitReply<Output = unknown> {
  /** Becomes `output.<unitId>`. */
  readonly content: Output;
  /** Keys of the shared state to write next to it. */
  readonly state?: Readonly<Record<string, unknown>> | null;
  /** What the flow around the unit reads: `route`, `delegations`. */
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  readonly tokenUsage?: {
    readonly promptTokens?: number;
    readonly completionTokens?: number;
    readonly totalTokens?: number;
    readonly estimatedCost?: number;
  } | null;
  /** `error`: the unit failed, and is not tried again. */
  readonly stopReason?: string | null;
}

/** What is wrong with a value; null: nothing. */
export type ValueCheck = (value: JsonValue) => string | null;

export interface UnitOptions {
  /**
   * Called before each call of the unit: with an input that it finds wrong the unit fails without being called, and is not
   * tried again.
   */
  readonly input?: ValueCheck | undefined;
  /** Called with each output: one that it finds wrong is not stored; the unit fails, and is not tried again. */
  readonly output?: ValueCheck | undefined;
  /**
   * The unit has no effect and answers at once: it computes its answer from its input and nothing else. Then it is executed
   * in the turn that schedules it, and stored together with what precedes and follows it; after a crash, or where a write
   * failed, it is executed again, unseen. An answer by a promise is an error, and is not tried again. Default: false.
   */
  readonly pure?: boolean | undefined;
  /**
   * For a pure unit: whether it can answer at once yet. Until then it is called as any other unit, and may answer by a
   * promise. Default: always.
   */
  readonly isReady?: (() => boolean) | undefined;
  /**
   * The namespaces whose workflows may use it, 1 to 1,000; in every other one the name is as unknown as one that nobody registered.
   * Default: all.
   */
  readonly namespaces?: readonly string[] | undefined;
  /** Who registers it, for the error when another one takes the name. Default: a call of `registerUnit`. */
  readonly by?: string | undefined;
}

/** One handler as it was registered. */
export interface InProcessUnit extends UnitOptions {
  readonly handler: UnitHandler;
}

/** Calls one handler. */
export class InProcessExecutor implements UnitExecutor {
  private readonly finder: SecretFinder;
  private readonly quote = (text: string): string => excerpt(text, (whole) => this.finder.mask(whole));
  private readonly loggerOf = (context: CallContext): UnitLogger =>
    unitLogger(this.logger, context, this.quote);

  /** `masked` values must not appear in what the handler returns, throws or logs. */
  constructor(
    private readonly unit: InProcessUnit,
    private readonly logger: EngineLogger,
    masked: readonly string[] = [],
  ) {
    this.finder = finderOf(masked);
  }

  /** Returns a promise only where the handler does. */
  execute(request: UnitRequest, options: ExecuteOptions): UnitOutcome | Promise<UnitOutcome> {
    try {
      const isPure = this.isPure();
      const problem = this.unit.input?.(request.input) ?? null;
      if (problem !== null)
        return failedOutcome(this.quote(problem), { retryable: false, outcome: 'refused' });
      const said = this.unit.handler(request, new ContextOfCall(request, options, this.loggerOf));
      if (!isThenable(said)) return this.interpreted(said);
      return isPure ? promised(said) : this.awaited(said);
    } catch (error) {
      return thrown(error, this.quote);
    }
  }

  isPure(): boolean {
    return this.unit.pure === true && (this.unit.isReady?.() ?? true);
  }

  private async awaited(said: PromiseLike<unknown>): Promise<UnitOutcome> {
    try {
      return this.interpreted(await said);
    } catch (error) {
      return thrown(error, this.quote);
    }
  }

  private interpreted(said: unknown): UnitOutcome {
    const outcome = interpretResult(said, this.quote);
    if (outcome.kind === 'finished') {
      const problem = this.unit.output?.(outcome.output) ?? null;
      // The unit did its work, whatever its output is.
      if (problem !== null)
        return failedOutcome(this.quote(problem), { retryable: false, outcome: 'unknown' });
    }
    return maskOutcome(outcome, this.finder);
  }
}

/** A pure unit answered later, so it may have had an effect. */
function promised(said: PromiseLike<unknown>): UnitOutcome {
  // Nobody waits for it: a rejection must not end the process.
  said.then(undefined, () => undefined);
  const error =
    'the unit was registered as pure and answered with a promise: have it answer at once, or register it without pure';
  return failedOutcome(error, { retryable: false, outcome: 'unknown' });
}

/** What `await` waits for. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return typeof (value as { readonly then?: unknown }).then === 'function';
}

function thrown(error: unknown, quote: Quote): UnitOutcome {
  const retryable = !saysNotRetryable(error);
  const outcome = retryable ? 'unknown' : 'refused';
  return failedOutcome(quote(textOf(error)) || 'the unit threw', { retryable, outcome });
}

/** What is thrown may be anything: even looking at it can throw. */
function saysNotRetryable(error: unknown): boolean {
  try {
    return (error as { readonly retryable?: unknown } | null | undefined)?.retryable === false;
  } catch {
    return false;
  }
}

function textOf(error: unknown): string {
  try {
    return messageOf(error);
  } catch {
    return '';
  }
}
