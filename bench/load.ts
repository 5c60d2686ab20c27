import autocannon from 'autocannon';

export const CALLERS = 32;

/** Requests per second of synchronous starts against one service. Fails when an answer is not 2xx. */
export async function startRuns(url: string, seconds: number): Promise<number> {
  const result = await autocannon({
    url: `${url}/workflows/three/runs`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: { amount: 5 }, sync: true }),
    connections: CALLERS,
    duration: seconds,
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx + result.errors} requests failed.`);
  return result['2xx'] / result.duration;
}

export async function post(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return response.json();
}
