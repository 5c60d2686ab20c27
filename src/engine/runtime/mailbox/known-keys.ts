import { IdempotencyConflictError } from '../../../errors/request-errors.js';
import type { RunStore } from '../../ports/run-store.js';
import { rejectAll, resolveAll, type Mail } from './mail.js';

type Keys = Pick<RunStore, 'readIdempotency'>;

/** An append is also refused when one of its keys is in the store: that request was carried out before, and answered here. */
export async function withoutKnown(store: Keys, batch: readonly Mail[]): Promise<readonly Mail[]> {
  const fresh: Mail[] = [];
  for (const mail of batch) if (!(await isSettled(store, mail))) fresh.push(mail);
  return fresh;
}

/** Answers a mail that shared a key with one that lost (see `withoutRepeats`); posts it again if its key is new after all. */
export async function settleOrphan(store: Keys, mail: Mail, post: (mail: Mail) => void): Promise<void> {
  try {
    if (!(await isSettled(store, mail))) post(mail);
  } catch (error) {
    rejectAll(mail, error);
  }
}

async function isSettled(store: Keys, mail: Mail): Promise<boolean> {
  const record = mail.key?.record;
  const known = record === undefined ? null : await store.readIdempotency(record);
  if (known === null) return false;
  if (known.fingerprint === record?.fingerprint) resolveAll(mail, false);
  else rejectAll(mail, new IdempotencyConflictError(known.key));
  return true;
}
