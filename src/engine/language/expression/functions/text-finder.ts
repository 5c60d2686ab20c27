import { SEARCHED_CHARACTER_WORK, STEPPED_CHARACTER_WORK } from '../limits/bounds.js';
import { chargeWork } from '../limits/budget.js';

/** Up to this length of the needle the built-in search cannot go badly quadratic. */
const SHORT_NEEDLE = 32;

/** Finds a needle in time that grows with text and needle, never with their product as `indexOf` may. */
export class TextFinder {
  /** At each position, the length of the longest proper prefix of the needle that ends there. */
  private readonly borders: Int32Array | null;

  constructor(private readonly needle: string) {
    chargeWork(needle.length * STEPPED_CHARACTER_WORK);
    this.borders = needle.length > SHORT_NEEDLE ? bordersOf(needle) : null;
  }

  /** The position of the first match at or after `from`, or -1. */
  find(text: string, from: number): number {
    const { borders } = this;
    if (borders !== null) return this.findLong(text, from, borders);
    const position = text.indexOf(this.needle, from);
    const characters = position === -1 ? text.length - from : position - from;
    // A single character is found without a second look.
    chargeWork(this.needle.length > 1 ? characters * SEARCHED_CHARACTER_WORK : characters);
    return position;
  }

  private findLong(text: string, from: number, borders: Int32Array): number {
    const { needle } = this;
    chargeWork((text.length - from) * STEPPED_CHARACTER_WORK);
    let matched = 0;
    for (let i = from; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      while (matched > 0 && code !== needle.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
      if (code === needle.charCodeAt(matched)) matched += 1;
      if (matched === needle.length) return i - matched + 1;
    }
    return -1;
  }
}

function bordersOf(needle: string): Int32Array {
  const borders = new Int32Array(needle.length);
  let length = 0;
  for (let i = 1; i < needle.length; i += 1) {
    while (length > 0 && needle.charCodeAt(i) !== needle.charCodeAt(length))
      length = borders[length - 1] ?? 0;
    if (needle.charCodeAt(i) === needle.charCodeAt(length)) length += 1;
    borders[i] = length;
  }
  return borders;
}
