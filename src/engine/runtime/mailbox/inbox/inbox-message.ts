import { IdempotencyConflictError } from '../../../../errors/request-errors.js';
import type { RunRequest } from '../../../core/log/event.js';
import type { Signal } from '../../../core/signal.js';
import type { IdempotencyRecord } from '../../../ports/store/append.js';

/** A caller that waits for the result of a message. `changed`: the message caused something. */
export interface Reply {
  readonly resolve: (changed: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One request to a run: its signals are decided one after another, all of them or none. The exception is a pause that
 * cannot be lifted because its outcome cannot be decided: it is left out of the resume (see `decideBatch`).
 */
export interface InboxMessage {
  readonly signals: readonly Signal[];
  /** The key belongs to the request: it is kept also when none of the signals changed anything. */
  readonly key: { readonly record: IdempotencyRecord; readonly request: RunRequest | 'start' } | null;
  /** Whether it is offered until it is stored, as nobody would send it again: outcomes of units, due times, a recovery. */
  readonly isKept: boolean;
  /** Repetitions of one request under its key wait together for the one that is carried out. */
  readonly replies: readonly Reply[];
}

/** Resolves all callers that wait for the message. */
export function resolveAll({ replies }: InboxMessage, changed: boolean): void {
  for (const { resolve } of replies) resolve(changed);
}

export function rejectAll({ replies }: InboxMessage, error: unknown): void {
  for (const { reject } of replies) reject(error);
}

/**
 * The same key twice in one batch is one request and its repetition: the repetition gets the original's reply, once that
 * is durable. A message with the same key but another content is a rival, and is refused once the original is durable;
 * before that, neither has lost. If the original itself lost, to a request of an earlier batch, its rivals are
 * `unresolved`, because one of them may be the repetition of the request that won.
 */
export function withoutRepeats(
  batch: readonly InboxMessage[],
  unresolved: (rival: InboxMessage) => void,
): readonly InboxMessage[] {
  if (batch.length < 2) return batch;
  /** In order of arrival, by the name of the key, or by the message itself if it has none. */
  const distinct = new Map<string | InboxMessage, InboxMessage>();
  for (const message of batch) {
    if (message.key === null) {
      distinct.set(message, message);
      continue;
    }
    const { scope, key, fingerprint } = message.key.record;
    const name = `${scope}\n${key}`;
    const original = distinct.get(name);
    if (original === undefined) {
      distinct.set(name, message);
      continue;
    }
    const isRepeat = original.key?.record.fingerprint === fingerprint;
    const replies = isRepeat ? message.replies : [rivalOf(message, key, unresolved)];
    distinct.set(name, { ...original, replies: [...original.replies, ...replies] });
  }
  return [...distinct.values()];
}

/** A reply of the original that settles its rival. */
function rivalOf(rival: InboxMessage, key: string, unresolved: (rival: InboxMessage) => void): Reply {
  return {
    resolve: () => rejectAll(rival, new IdempotencyConflictError(key)),
    reject: (error) => {
      if (error instanceof IdempotencyConflictError) unresolved(rival);
      else rejectAll(rival, error);
    },
  };
}
