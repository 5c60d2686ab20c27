import { isLongerThan } from '../../http/long-responses/json-length.js';
import { isRecord } from '../json-rpc.js';

/** The limit for a body without the arguments of tools, which are limited as in every body; it covers a whole batch. */
const MAX_REST_CHARS = 65_536;
/** The responses to a batch (2025-03-26) are one text. The SDK takes 100 messages, whose responses had 330 MB. */
const MAX_BATCH = 20;
/** Ids and progress tokens come back with every message of a stream, and are kept as long as it is open. */
const MAX_ID_CHARS = 256;

/**
 * A sentence about the limit that a body exceeds; null: none. The SDK notes every invalid value: half a million of
 * them took 2.6 s, in which no other client was served, and 700 MB.
 */
export function exceededLimit(body: unknown): string | null {
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
