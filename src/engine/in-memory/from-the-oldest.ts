/**
 * Takes the items of a set or map from the oldest on, each call of `next` another one. Its iterator keeps its position
 * between the calls: a new one would pass over everything that was deleted before.
 *
 * `stop` is to be called whenever nothing has to be taken: an iterator that is kept and does not move keeps in memory
 * whatever is deleted in the meantime. After it `next` begins with the oldest again.
 */
export function fromTheOldest<Item>(items: { keys(): Iterator<Item, undefined> }) {
  let iterator: Iterator<Item, undefined> | null = null;
  return {
    next: (): Item | undefined => (iterator ??= items.keys()).next().value,
    stop: (): void => void (iterator = null),
  };
}
