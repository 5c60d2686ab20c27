import { IdempotencyConflictError } from '../../../errors/request-errors.js';
import type { RunRequest } from '../../core/log/event.js';
import type { Signal } from '../../core/signal.js';
import type { IdempotencyRecord } from '../../ports/run-store.js';

/** Whoever waits for what becomes of a mail. `changed`: it caused something. */
export interface Reply {
  readonly resolve: (changed: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One request to a run: its signals are decided one after another, and all of them or none; only a pause that cannot
 * be lifted, since its answer cannot be decided upon, is left out of a resume (see `decideBatch`).
 */
export interface Mail {
  readonly signals: readonly Signal[];
  /** The key belongs to the request: it is kept also when none of the signals changed anything. */
  readonly key: { readonly record: IdempotencyRecord; readonly request: RunRequest | 'start' } | null;
  /** What nobody would send again (results of units, due times, a recovery) is offered until it is stored. */
  readonly isKept: boolean;
  /** Repetitions of one request under its key wait together for the one that is carried out. */
  readonly replies: readonly Reply[];
}

/** Tells everyone who waits for the mail. */
export function resolveAll({ replies }: Mail, changed: boolean): void {
  for (const { resolve } of replies) resolve(changed);
}

export function rejectAll({ replies }: Mail, error: unknown): void {
  for (const { reject } of replies) reject(error);
}

/**
 * The same key twice in one batch is one request and its repetition: the repetition is answered with the original, when
 * that is durable. Under one key with another content it is a rival, and refused once the original is durable; before
 * that nobody has lost. An original that itself lost, to a request of an earlier batch, says nothing of its rivals: they
 * are `orphaned`, for one of them may be the repetition of the request that won.
 */
export function withoutRepeats(batch: readonly Mail[], orphaned: (rival: Mail) => void): readonly Mail[] {
  if (batch.length < 2) return batch;
  /** In the order in which they came; by the name of their key, or by themselves. */
  const distinct = new Map<string | Mail, Mail>();
  for (const mail of batch) {
    if (mail.key === null) {
      distinct.set(mail, mail);
      continue;
    }
    const { scope, key, fingerprint } = mail.key.record;
    const name = `${scope}\n${key}`;
    const original = distinct.get(name);
    if (original === undefined) {
      distinct.set(name, mail);
      continue;
    }
    const isRepeat = original.key?.record.fingerprint === fingerprint;
    const replies = isRepeat ? mail.replies : [rivalOf(mail, key, orphaned)];
    distinct.set(name, { ...original, replies: [...original.replies, ...replies] });
  }
  return [...distinct.values()];
}

/** How a rival learns what became of the original. */
function rivalOf(rival: Mail, key: string, orphaned: (rival: Mail) => void): Reply {
  return {
    resolve: () => rejectAll(rival, new IdempotencyConflictError(key)),
    reject: (error) => {
      if (error instanceof IdempotencyConflictError) orphaned(rival);
      else rejectAll(rival, error);
    },
  };
}
