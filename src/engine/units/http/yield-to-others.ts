import { setImmediate } from 'node:timers/promises';

/**
 * The rounds between two steps of reading one response: in each round the event loop accepts one new connection, and no
 * more.
 */
const ROUNDS_FOR_OTHERS = 16;

/** Resolves when the rounds of the last caller are over. */
let others: Promise<void> = Promise.resolve();

/** The same, for callers that only take in what arrives. */
let intake: Promise<void> = Promise.resolve();

/**
 * Yields to the event loop before each step of reading a large response: however many of them arrive at the same moment,
 * only one is parsed, or prepared, and then the loop goes round for others (decision 0050).
 */
export function yieldToOthers(): Promise<void> {
  return (others = others.then(async () => {
    for (let round = 0; round < ROUNDS_FOR_OTHERS; round++) await setImmediate();
  }));
}

/**
 * Yields before more of a body is taken in: of however many bodies, one at a time, one in each round of the event loop. No
 * more rounds than that: a large response has hundreds of such pieces, and gives way when it makes no progress for two
 * seconds (decision 0041).
 */
export function yieldOneRound(): Promise<void> {
  return (intake = intake.then(() => setImmediate()));
}
