import type { Steps } from '../../steps.js';

/** How many items are sorted or merged between two points where the work may be interrupted. */
const STEP = 1_024;

/** The items in order, equal ones as they were, with points where the work may be interrupted. The array is used up. */
export function* sortSteps<T>(items: T[], compare: (a: T, b: T) => number): Steps<T[]> {
  if (items.length <= STEP) return items.sort(compare);
  for (let start = 0; start < items.length; start += STEP) {
    const sorted = items.slice(start, start + STEP).sort(compare);
    for (const [index, item] of sorted.entries()) items[start + index] = item;
    yield;
  }
  let from = items;
  let to = from.slice();
  for (let width = STEP; width < from.length; width *= 2) {
    for (let start = 0; start < from.length; start += 2 * width) {
      yield* merge(from, to, start, width, compare);
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Merges two sorted parts of `from`, each `width` long or up to the end, into `to`. */
function* merge<T>(
  from: readonly T[],
  to: T[],
  start: number,
  width: number,
  compare: (a: T, b: T) => number,
): Steps<void> {
  const middle = Math.min(start + width, from.length);
  const end = Math.min(middle + width, from.length);
  let left = start;
  let right = middle;
  for (let at = start; at < end; at++) {
    const takesLeft = right >= end || (left < middle && compare(from[left] as T, from[right] as T) <= 0);
    to[at] = from[takesLeft ? left++ : right++] as T;
    if (at % STEP === 0) yield;
  }
}
