import type { Frame } from './frames.js';

/** What became of a list: as the engine says it. */
export type TellableChange =
  | { readonly type: 'snapshot'; readonly items: readonly unknown[]; readonly next: string | null }
  | { readonly type: 'upsert'; readonly item: object }
  | { readonly type: 'remove'; readonly runId: string; readonly gateId?: number };

/** No frame has an id: a client that comes again begins with all of the list. */
export async function* listFrames(
  changes: AsyncIterable<TellableChange>,
): AsyncGenerator<readonly Frame[], void, void> {
  for await (const change of changes) {
    yield [frameOf(change)];
  }
}

/** A page and an item are the same objects for all who watch the list. */
function frameOf(change: TellableChange): Frame {
  const { type, ...data } = change;
  if (change.type === 'upsert') return { event: type, data: change.item, about: change.item };
  return change.type === 'snapshot' ? { event: type, data, about: change } : { event: type, data };
}
