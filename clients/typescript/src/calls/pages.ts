/** Every item of a list that is given in pages, one page after the other. */
export async function* itemsOf<Item, Place>(
  read: (
    place: Place | undefined,
  ) => Promise<{ readonly items: readonly Item[]; readonly next: Place | null }>,
  first: Place | undefined,
): AsyncGenerator<Item, undefined> {
  for (let place = first; ;) {
    const { items, next } = await read(place);
    yield* items;
    if (next === null || next === undefined) return undefined;
    if (next === place) throw new Error('The next page is the one before: the list would never end');
    place = next;
  }
}
