import { isLongerThan } from '../../http/long-answers/json-length.js';
import { isRecord } from '../plain/rpc-request.js';

/** What a body may hold beside the arguments of tools, which have the bounds of every body; all of a batch together. */
const MAX_REST_CHARS = 65_536;
/** All that a batch (2025-03-26) is answered with is one text. The SDK takes 100: their answers were 330 MB. */
const MAX_BATCH = 20;
/** Ids and progress tokens come back with whatever a stream says, and are kept as long as it is open. */
const MAX_ID_CHARS = 256;

/**
 * What a body has too much of, as a sentence; null: nothing. The SDK notes every value that is not as it should be: half a
 * million of them took 2.6 s, in which nobody else was served, and 700 MB.
 */
export function excessOf(body: unknown): string | null {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  if (messages.length > MAX_BATCH)
    return `The batch holds more than ${MAX_BATCH} messages: send them in several requests`;
  if (isLongerThan(messages.map(withoutArguments), MAX_REST_CHARS))
    return `The body holds more than ${MAX_REST_CHARS} characters beside the arguments of tools: send less`;
  if (
    messages.some((message) =>
      namesOf(message).some((name) => typeof name === 'string' && name.length > MAX_ID_CHARS),
    )
  )
    return `An id or a progressToken has more than ${MAX_ID_CHARS} characters: take a shorter one`;
  return null;
}

function withoutArguments(message: unknown): unknown {
  if (!isRecord(message) || message['method'] !== 'tools/call' || !isRecord(message['params']))
    return message;
  const { arguments: given, ...params } = message['params'];
  return isRecord(given) ? { ...message, params } : message;
}

function namesOf(message: unknown): readonly unknown[] {
  if (!isRecord(message)) return [];
  const meta = isRecord(message['params']) ? message['params']['_meta'] : undefined;
  return [message['id'], isRecord(meta) ? meta['progressToken'] : undefined];
}
