import { nextTurn } from '../../ports/turns.js';

/** How long a page is worked on before others have their turn. */
const TURN_MS = 4;

/** One after the other, with everybody else's turn in between: what a store answers at once is no turn of its own. */
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
