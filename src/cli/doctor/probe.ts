import type { SaidTime } from './checks/clock-check.js';

const WITHIN_MS = 3_000;
const MAX_BYTES = 1_024;

interface Probed {
  readonly said: SaidTime;
  /** Whether it answered as Flowgate does. */
  readonly isFlowgate: boolean;
}

/** Asks an address whether it lives, without any header of ours; null: nobody answered in time. */
export async function probe(server: string, signal: AbortSignal): Promise<Probed | null> {
  const askedAt = Date.now();
  try {
    const response = await fetch(`${server.replace(/\/+$/, '')}/health/live`, {
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]),
    });
    const said = { askedAt, answeredAt: Date.now(), date: response.headers.get('date') };
    return { said, isFlowgate: (await startOf(response)).startsWith('{"ok":true') };
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

async function startOf({ body }: Response): Promise<string> {
  let text = '';
  if (body === null) return text;
  const decoder = new TextDecoder();
  // Leaving the loop cancels the rest.
  for await (const chunk of body) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length >= MAX_BYTES) break;
  }
  return text;
}
