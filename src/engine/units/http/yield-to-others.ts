import { setImmediate } from 'node:timers/promises';

/** Between two steps of reading one: each time that the loop comes round it takes in one new connection, and no more. */
const ROUNDS_FOR_OTHERS = 16;

/** The end of what others were left by the last who asked. */
let others: Promise<void> = Promise.resolve();

/**
 * Before each step of reading a large answer: however many of them come at the same moment, only one is parsed, or made
 * ready, and then the loop goes round for others (decision 0050).
 */
export function yieldToOthers(): Promise<void> {
  return (others = others.then(async () => {
    for (let round = 0; round < ROUNDS_FOR_OTHERS; round++) await setImmediate();
  }));
}
