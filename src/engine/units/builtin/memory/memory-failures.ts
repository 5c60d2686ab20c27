import { messageOf } from '../../../../errors/flowgate-error.js';
import type { UnitOutcome } from '../../../ports/unit-executor.js';
import { excerpt, failedOutcome } from '../../outcome.js';

/** The settings cannot be used: the memory was not called, and calling it again would not help. */
export function wrongSetting(uses: string, problem: string): UnitOutcome {
  return failedOutcome(`${uses}: ${problem}`, { retryable: false, outcome: 'refused' });
}

/** The memory could not do it now. */
export function memoryFailed(did: string, error: unknown): UnitOutcome {
  const reason = excerpt(messageOf(error));
  return failedOutcome(`the memory could not be ${did}: ${reason}`, { retryable: true, outcome: 'unknown' });
}
