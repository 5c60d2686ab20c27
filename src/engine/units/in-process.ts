import { messageOf } from '../../errors/flowgate-error.js';
import type { JsonValue } from '../core/json.js';
import type { EngineLogger } from '../ports/logger.js';
import type {
  CallContext,
  ExecuteOptions,
  UnitAnswer,
  UnitExecutor,
  UnitRequest,
} from '../ports/unit-executor.js';
import { excerpt, failedAnswer, interpretAnswer, type Quote } from './answer.js';
import { maskAnswer } from './masking/mask-answer.js';
import type { SecretFinder } from './masking/secret-finder.js';
import { finderOf } from './masking/secret-forms.js';
import { ContextOfCall, type UnitContext } from './unit-context.js';
import { unitLogger, type UnitLogger } from './unit-logger.js';

/**
 * A unit that is code of this process. It answers like a remote unit: an object with `content` is an
 * envelope (`UnitReply`), anything else is the output. What it throws is a failure that is tried again, unless it is a
 * `NonRetryableError` (or has `retryable: false`). `Input` is what the code takes for granted: nothing checks it unless
 * the unit was registered with an `input` check.
 */
export type UnitHandler<Input = JsonValue, Output = unknown> = (
  request: UnitRequest<Input>,
  context: UnitContext,
) => UnitResult<Output> | PromiseLike<UnitResult<Output>>;

export type UnitResult<Output = unknown> = Output | UnitReply<Output>;

/** An answer that says more than its output. */
export interface UnitReply<Output = unknown> {
  /** Becomes `output.<unitId>`. */
  readonly content: Output;
  /** Keys of the shared state to write beside it. */
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
  /** Asked before each call: a unit whose input it finds wrong fails without being called, and is not tried again. */
  readonly input?: ValueCheck | undefined;
  /** Asked of each output: one that it finds wrong is not stored; the unit fails, and is not tried again. */
  readonly output?: ValueCheck | undefined;
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

  /** `masked` values must not appear in what the handler answers, throws or logs. */
  constructor(
    private readonly unit: InProcessUnit,
    private readonly logger: EngineLogger,
    masked: readonly string[] = [],
  ) {
    this.finder = finderOf(masked);
  }

  /** A promise only where the handler answers one. */
  execute(request: UnitRequest, options: ExecuteOptions): UnitAnswer | Promise<UnitAnswer> {
    try {
      const problem = this.unit.input?.(request.input) ?? null;
      if (problem !== null)
        return failedAnswer(this.quote(problem), { retryable: false, outcome: 'refused' });
      const said = this.unit.handler(request, new ContextOfCall(request, options, this.loggerOf));
      return isThenable(said) ? this.awaited(said) : this.interpreted(said);
    } catch (error) {
      return thrown(error, this.quote);
    }
  }

  private async awaited(said: PromiseLike<unknown>): Promise<UnitAnswer> {
    try {
      return this.interpreted(await said);
    } catch (error) {
      return thrown(error, this.quote);
    }
  }

  private interpreted(said: unknown): UnitAnswer {
    const answer = interpretAnswer(said, this.quote);
    if (answer.kind === 'finished') {
      const problem = this.unit.output?.(answer.output) ?? null;
      // It did its work, whatever it says of it.
      if (problem !== null)
        return failedAnswer(this.quote(problem), { retryable: false, outcome: 'unknown' });
    }
    return maskAnswer(answer, this.finder);
  }
}

/** What `await` waits for. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return typeof (value as { readonly then?: unknown }).then === 'function';
}

function thrown(error: unknown, quote: Quote): UnitAnswer {
  const retryable = !saysNotRetryable(error);
  const outcome = retryable ? 'unknown' : 'refused';
  return failedAnswer(quote(textOf(error)) || 'the unit threw', { retryable, outcome });
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
