import { sleep } from '../calls/deadline.js';
import type { RetryOptions } from '../options.js';
import { checkOptions } from '../options/option-names.js';

export type Retries = Required<RetryOptions>;

/** How one try ended; `isPassing`: the same request may well succeed later. */
export type Try<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly error: Error;
      readonly isPassing: boolean;
      readonly retryAfterMs: number | undefined;
    };

const DEFAULTS: Retries = {
  count: 3,
  baseMs: 250,
  maxMs: 5_000,
  maxRetryAfterMs: 30_000,
  renewAfterMs: 10_000,
};

/** Throws a `TypeError` for what is no count or no time. */
export function checkedRetries(given: number | RetryOptions = {}): Retries {
  const options = typeof given === 'number' ? { count: given } : given;
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('retries must be a number, or an object with a count');
  }
  checkOptions('retries', options);
  const retries = { ...DEFAULTS };
  for (const name of Object.keys(DEFAULTS) as (keyof Retries)[]) {
    const value = options[name];
    if (value === undefined) continue;
    if (!(Number.isFinite(value) && value >= 0) || (name === 'count' && !Number.isInteger(value))) {
      throw new TypeError(
        `retries.${name} must be a ${name === 'count' ? 'whole ' : ''}number of at least 0`,
      );
    }
    retries[name] = value;
  }
  return retries;
}

/**
 * Tries until it succeeds, the fault is none that passes, or the tries are used up. A try that was disconnected after a long
 * wait is taken up again as if it were the first: nothing failed, somebody on the way lost patience.
 */
export async function withRetries<T>(
  retries: Retries,
  signal: AbortSignal,
  attempt: () => Promise<Try<T>>,
): Promise<T> {
  for (let again = 0; ; again++) {
    const began = performance.now();
    const tried = await attempt();
    if (tried.ok) return tried.value;
    signal.throwIfAborted();
    if (again > 0 && performance.now() - began >= retries.renewAfterMs) again = 0;
    const { error, isPassing, retryAfterMs = 0 } = tried;
    if (!isPassing || again >= retries.count || retryAfterMs > retries.maxRetryAfterMs) throw error;
    await sleep(Math.max(retryAfterMs, pauseMs(retries, again)), signal);
  }
}

/** Half of it is chance, so that many clients do not come back at the same instant. */
export function pauseMs({ baseMs, maxMs }: Retries, again: number): number {
  return Math.min(maxMs, baseMs * 2 ** again) * (0.5 + Math.random() / 2);
}
