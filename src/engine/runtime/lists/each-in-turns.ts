import { nextTurn } from '../../ports/turns.js';

/** How long a page is worked on before it yields to the event loop. */
const TURN_MS = 4;

/**
 * Makes the results sequentially, and yields to the event loop in between: awaiting a store that answers at once does not.
 */
export async function eachInTurns<Item, Result>(
  items: readonly Item[],
  make: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let end = performance.now() + TURN_MS;
  for (const item of items) {
    results.push(await make(item));
    if (performance.now() < end) continue;
    await nextTurn();
    end = performance.now() + TURN_MS;
  }
  return results;
}
