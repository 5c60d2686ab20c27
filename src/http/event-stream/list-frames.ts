import type { Frame } from './frames.js';

/** What became of a list: as the engine says it. */
export type TellableChange =
  | { readonly type: 'snapshot'; readonly items: readonly unknown[]; readonly next: string | null }
  | { readonly type: 'upsert'; readonly item: unknown }
  | { readonly type: 'remove'; readonly runId: string; readonly gateId?: number };

/** No frame has an id: a client that comes again begins with all of the list. */
export async function* listFrames(
  changes: AsyncIterable<TellableChange>,
): AsyncGenerator<readonly Frame[], void, void> {
  for await (const change of changes) {
    const { type, ...told } = change;
    yield [{ event: type, data: 'item' in told ? told.item : told }];
  }
}
