import { Yielder } from '../../scheduling/yielder.js';

/**
 * Before each step of reading a large response: however many of them come at the same moment, only one is parsed, or made
 * ready, and then the loop comes round for others. Each round takes in one new connection, and no more (decision 0050).
 */
export const responseYielder = new Yielder({ rounds: 16 });

/**
 * Before more of a body is taken in: of however many bodies, one at a time, one in each round of the loop. No more rounds than
 * that: a large response has hundreds of such pieces, and gives way when it brings nothing for two seconds (decision 0041).
 */
export const arrivalYielder = new Yielder({ rounds: 1 });
