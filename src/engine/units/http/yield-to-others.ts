import { setImmediate } from 'node:timers/promises';

/** Between two steps of reading one: each time that the loop comes round it takes in one new connection, and no more. */
const ROUNDS_FOR_OTHERS = 16;

/** The end of what others were left by the last who asked. */
let others: Promise<void> = Promise.resolve();

/** The same, of those who only take in what arrives. */
let arrivals: Promise<void> = Promise.resolve();

/**
 * Before each step of reading a large answer: however many of them come at the same moment, only one is parsed, or made
 * ready, and then the loop goes round for others (decision 0050).
 */
export function yieldToOthers(): Promise<void> {
  return (others = others.then(async () => {
    for (let round = 0; round < ROUNDS_FOR_OTHERS; round++) await setImmediate();
  }));
}

/**
 * Before more of a body is taken in: of however many bodies, one at a time, one in each round of the loop. No more rounds than
 * that: a large answer has hundreds of such pieces, and gives way when it brings nothing for two seconds (decision 0041).
 */
export function yieldOneRound(): Promise<void> {
  return (arrivals = arrivals.then(() => setImmediate()));
}
