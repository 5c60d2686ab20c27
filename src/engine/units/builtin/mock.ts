import { setTimeout as delay } from 'node:timers/promises';
import type { JsonValue } from '../../core/json.js';
import type { ExecuteOptions, UnitOutcome, UnitExecutor, UnitRequest } from '../../ports/unit-executor.js';

const MAX_DELAY_MS = 86_400_000;

/**
 * `builtin.mock`: a stand-in for tests and dry runs. Returns `response` (default: its input) after `delayMs`, names `route`
 * for a router, and fails its first `failTimes` attempts with a retryable error.
 */
export const mockExecutor: UnitExecutor = {
  execute: async (request: UnitRequest, options: ExecuteOptions): Promise<UnitOutcome> => {
    const { response, route, delayMs, failTimes } = request.context.config;
    if (typeof delayMs === 'number' && delayMs > 0) {
      const signal = options.cancelSignal ?? options.signal;
      await delay(Math.min(delayMs, MAX_DELAY_MS), undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return failed('the mock was told to stop');
    }
    const { attempt } = request.context;
    if (typeof failTimes === 'number' && attempt <= failTimes) {
      return failed(`the mock fails attempt ${attempt} of ${failTimes} as it was told to`);
    }
    const output: JsonValue = response === undefined ? request.input : response;
    const metadata = typeof route === 'string' ? { route } : null;
    return { kind: 'finished', output, patch: null, usage: null, metadata };
  },
};

function failed(error: string): UnitOutcome {
  return { kind: 'failed', error, retryable: true, outcome: 'refused', retryAfterMs: null };
}
