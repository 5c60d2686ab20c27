/** What the service's own process knows of itself. */
export interface LoopReport {
  /** The longest that no timer could fire since the last report, in processor time. */
  readonly longestMs: number;
  readonly heapMib: number;
}
