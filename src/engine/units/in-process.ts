import { messageOf } from '../../errors/flowgate-error.js';
import type { ExecuteOptions, UnitAnswer, UnitExecutor, UnitRequest } from '../ports/unit-executor.js';
import { excerpt, failedAnswer, interpretAnswer } from './answer.js';

/**
 * A unit that is code of this process. It answers like a remote unit: an object with `content` is an
 * envelope (`content`, `state`, `metadata`, `tokenUsage`, `stopReason`), anything else is the output. What it
 * throws is a failure that is tried again, unless the error has `retryable: false`.
 */
export type UnitHandler = (request: UnitRequest, options: ExecuteOptions) => unknown;

/** Calls one handler. */
export class InProcessExecutor implements UnitExecutor {
  constructor(private readonly handler: UnitHandler) {}

  async execute(request: UnitRequest, options: ExecuteOptions): Promise<UnitAnswer> {
    try {
      return interpretAnswer(await this.handler(request, options));
    } catch (error) {
      return thrown(error);
    }
  }
}

function thrown(error: unknown): UnitAnswer {
  const retryable = !saysNotRetryable(error);
  const outcome = retryable ? 'unknown' : 'refused';
  return failedAnswer(excerpt(textOf(error)) || 'the unit threw', { retryable, outcome });
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
