import { messageOf } from '../../../../errors/flowgate-error.js';
import type { UnitAnswer } from '../../../ports/unit-executor.js';
import { excerpt, failedAnswer } from '../../answer.js';

/** The settings cannot be used: nothing was asked of the memory, and asking again would not help. */
export function wrongSetting(uses: string, problem: string): UnitAnswer {
  return failedAnswer(`${uses}: ${problem}`, { retryable: false, outcome: 'refused' });
}

/** The memory could not do it now. */
export function memoryFailed(did: string, error: unknown): UnitAnswer {
  const reason = excerpt(messageOf(error));
  return failedAnswer(`the memory could not be ${did}: ${reason}`, { retryable: true, outcome: 'unknown' });
}
