import autocannon from 'autocannon';
import type { Sample } from './contest.ts';
import { costOf } from './cost.ts';

/** Connections, each with one request under way. */
export const CALLERS = 32;

export interface Target {
  readonly url: string;
  /** What is posted; undefined: the address is read. */
  readonly body: unknown;
  /** Sent with each request; absent: none of one's own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whose CPU time is counted, with all that they started. */
  readonly pids: readonly number[];
  /** Resolves once nothing is left of the work that follows its answers; null: nothing follows them. */
  readonly caughtUp: (() => Promise<void>) | null;
}

/**
 * Posts the same body over and over, or reads the address, and then waits until the target has caught up. Fails when an
 * answer is not 2xx. `perSecond` keeps it to that rate.
 */
export async function load(target: Target, seconds: number, perSecond?: number): Promise<Sample> {
  const sample = await costOf(target.pids, async () => {
    const result = await autocannon({
      url: target.url,
      ...requestOf(target),
      connections: CALLERS,
      duration: seconds,
      ...(perSecond === undefined ? {} : { overallRate: Math.max(CALLERS, Math.round(perSecond)) }),
    });
    if (result.non2xx > 0 || result.errors > 0)
      throw new Error(`${result.non2xx + result.errors} requests to ${target.url} failed.`);
    return { done: result['2xx'], seconds: result.duration };
  });
  await target.caughtUp?.();
  return sample;
}

export function requestOf({ body, headers: own = {} }: Target) {
  if (body === undefined) return { method: 'GET', headers: own } as const;
  const headers = { 'content-type': 'application/json', ...own };
  return { method: 'POST', headers, body: JSON.stringify(body) } as const;
}

export async function post(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return response.json();
}
