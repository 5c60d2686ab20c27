import { IdempotencyConflictError } from '../../../../errors/request-errors.js';
import type { RunLog } from '../../../ports/store/run-log.js';
import { rejectAll, resolveAll, type InboxMessage } from './inbox-message.js';

type Keys = Pick<RunLog, 'readIdempotency'>;

/** An append is also refused if the store has one of its keys: that request was carried out before and is settled here. */
export async function withoutKnown(
  store: Keys,
  batch: readonly InboxMessage[],
): Promise<readonly InboxMessage[]> {
  const fresh: InboxMessage[] = [];
  for (const message of batch) if (!(await isSettled(store, message))) fresh.push(message);
  return fresh;
}

/** Settles a message that shared its key with one that lost (see `withoutRepeats`), or posts it again if the key is new. */
export async function settleUnresolved(
  store: Keys,
  message: InboxMessage,
  post: (message: InboxMessage) => void,
): Promise<void> {
  try {
    if (!(await isSettled(store, message))) post(message);
  } catch (error) {
    rejectAll(message, error);
  }
}

async function isSettled(store: Keys, message: InboxMessage): Promise<boolean> {
  const record = message.key?.record;
  const known = record === undefined ? null : await store.readIdempotency(record);
  if (known === null) return false;
  if (known.fingerprint === record?.fingerprint) resolveAll(message, false);
  else rejectAll(message, new IdempotencyConflictError(known.key));
  return true;
}
