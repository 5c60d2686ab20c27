import type { Frame } from './frames.js';

/** A change of a list, as the engine reports it. */
export type TellableChange =
  | { readonly type: 'snapshot'; readonly items: readonly unknown[]; readonly next: string | null }
  | { readonly type: 'upsert'; readonly item: object }
  | { readonly type: 'remove'; readonly runId: string; readonly gateId?: number };

/**
 * The frames of a list's changes. No frame has an id, because a client that reconnects begins with the whole list. It
 * is not a generator, because that would hold what it yielded last, which may be a page of megabytes, until the next
 * change.
 */
export function listFrames(
  changes: AsyncIterable<TellableChange>,
): AsyncIterator<readonly Frame[], void, void> {
  const each = changes[Symbol.asyncIterator]();
  return {
    async next() {
      const next = await each.next();
      return next.done === true
        ? { done: true, value: undefined }
        : { done: false, value: [frameOf(next.value)] };
    },
    async return() {
      await each.return?.();
      return { done: true, value: undefined };
    },
  };
}

/** A page and an item are the same objects for all who watch the list. */
function frameOf(change: TellableChange): Frame {
  const { type, ...data } = change;
  if (change.type === 'upsert') return { event: type, data: change.item, about: change.item };
  return change.type === 'snapshot' ? { event: type, data, about: change } : { event: type, data };
}
