/** Who holds something takes one more while they hold less than this many times what is free. */
export const TIMES_WHAT_IS_LEFT = 3;

/** Whether somebody takes one more of what is scarce: the first may be any free one, and of all that they find they leave a quarter. */
export function leavesAQuarter(held: number, free: number): boolean {
  return free > 0 && (held === 0 || held < TIMES_WHAT_IS_LEFT * free);
}

/** How many more somebody takes who goes by `leavesAQuarter`, if nobody else takes any. */
export function roomFor(held: number, free: number): number {
  if (!leavesAQuarter(held, free)) return 0;
  // With n more taken they hold held + n, and free - n are left: the last one is taken while that is still less.
  const most = Math.ceil((TIMES_WHAT_IS_LEFT * free - held) / (TIMES_WHAT_IS_LEFT + 1));
  return Math.min(free, Math.max(1, most));
}
