/** The wait after so many failures in a row (from 1), in ms: the first, then each time twice as long, up to the longest. */
export function doublingMs(
  failures: number,
  { firstMs, longestMs }: { readonly firstMs: number; readonly longestMs: number },
): number {
  return Math.min(firstMs * 2 ** (failures - 1), longestMs);
}
