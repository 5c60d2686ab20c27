import { messageOf } from '../../errors/flowgate-error.js';
import type { ExecuteOptions, UnitAnswer, UnitExecutor, UnitRequest } from '../ports/unit-executor.js';
import { excerpt, failedAnswer, interpretAnswer, type Quote } from './answer.js';
import { maskAnswer } from './masking/mask-answer.js';
import type { SecretFinder } from './masking/secret-finder.js';
import { finderOf } from './masking/secret-forms.js';

/**
 * A unit that is code of this process. It answers like a remote unit: an object with `content` is an
 * envelope (`content`, `state`, `metadata`, `tokenUsage`, `stopReason`), anything else is the output. What it
 * throws is a failure that is tried again, unless the error has `retryable: false`.
 */
export type UnitHandler = (request: UnitRequest, options: ExecuteOptions) => unknown;

/** Calls one handler. */
export class InProcessExecutor implements UnitExecutor {
  private readonly finder: SecretFinder;
  private readonly quote = (text: string): string => excerpt(text, (whole) => this.finder.mask(whole));

  /** `masked` values must not appear in what the handler answers or throws. */
  constructor(
    private readonly handler: UnitHandler,
    masked: readonly string[] = [],
  ) {
    this.finder = finderOf(masked);
  }

  /** A promise only where the handler answers one. */
  execute(request: UnitRequest, options: ExecuteOptions): UnitAnswer | Promise<UnitAnswer> {
    try {
      const said = this.handler(request, options);
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
    return maskAnswer(interpretAnswer(said, this.quote), this.finder);
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
