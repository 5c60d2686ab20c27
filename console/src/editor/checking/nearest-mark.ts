import type { Mark } from './fold-faults.js';

/** The mark nearest to a line, of those that say what to write instead; null: none does. */
export function nearestMark(
  marks: readonly Mark[],
  line: number,
  isMendable: (mark: Mark) => boolean,
): Mark | null {
  let nearest: Mark | null = null;
  let least = Infinity;
  for (const mark of marks) {
    const distance = mark.line === null ? Infinity : Math.abs(mark.line - line);
    if (distance < least && isMendable(mark)) [nearest, least] = [mark, distance];
  }
  return nearest;
}
