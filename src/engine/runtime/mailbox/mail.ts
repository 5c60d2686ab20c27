import type { Signal } from '../../core/signal.js';
import type { IdempotencyRecord } from '../../ports/run-store.js';

/** A signal on its way to its run, and who waits for what becomes of it. */
export interface Mail {
  readonly signal: Signal;
  readonly idempotency: IdempotencyRecord | null;
  /** What nobody would send again (results of units, due timers, a recovery) is offered until it is stored. */
  readonly isKept: boolean;
  /** Set for callers that wait. */
  readonly reply: {
    readonly resolve: (changed: boolean) => void;
    readonly reject: (error: unknown) => void;
  } | null;
}

/** The same key twice in one batch is one request, and its repetition. */
export function withoutRepeats(batch: readonly Mail[]): readonly Mail[] {
  const keys = new Set<string>();
  return batch.filter(({ idempotency, reply }) => {
    if (idempotency === null) return true;
    const name = `${idempotency.scope}\n${idempotency.key}`;
    if (!keys.has(name)) return keys.add(name);
    reply?.resolve(false);
    return false;
  });
}
