import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject, JsonValue } from '../../core/json.js';
import type { ExecuteOptions, UnitOutcome, UnitExecutor, UnitRequest } from '../../ports/unit-executor.js';

const MAX_DELAY_MS = 86_400_000;

/**
 * `builtin.mock`: a stand-in for tests and dry runs. Returns `response` (default: its input) after `delayMs`, names `route`
 * for a router, and fails its first `failTimes` attempts with a retryable error.
 */
export const mockExecutor: UnitExecutor = {
  isPure: (config) => delayOf(config) === 0,
  execute(request: UnitRequest, options: ExecuteOptions): UnitOutcome | Promise<UnitOutcome> {
    const delayMs = delayOf(request.context.config);
    return delayMs === 0 ? outcomeOf(request) : outcomeAfter(delayMs, request, options);
  },
};

function delayOf({ delayMs }: JsonObject): number {
  return typeof delayMs === 'number' && delayMs > 0 ? Math.min(delayMs, MAX_DELAY_MS) : 0;
}

async function outcomeAfter(
  delayMs: number,
  request: UnitRequest,
  options: ExecuteOptions,
): Promise<UnitOutcome> {
  const signal = options.cancelSignal ?? options.signal;
  await delay(delayMs, undefined, { signal, ref: false }).catch(() => undefined);
  return signal.aborted ? failed('the mock was told to stop') : outcomeOf(request);
}

function outcomeOf({ input, context: { config, attempt } }: UnitRequest): UnitOutcome {
  const { response, route, failTimes } = config;
  if (typeof failTimes === 'number' && attempt <= failTimes) {
    return failed(`the mock fails attempt ${attempt} of ${failTimes} as it was told to`);
  }
  const output: JsonValue = response === undefined ? input : response;
  const metadata = typeof route === 'string' ? { route } : null;
  return { kind: 'finished', output, patch: null, usage: null, metadata };
}

function failed(error: string): UnitOutcome {
  return { kind: 'failed', error, retryable: true, outcome: 'refused', retryAfterMs: null };
}
