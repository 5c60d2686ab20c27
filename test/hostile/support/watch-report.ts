/** What the watcher is to look at. */
export interface WatchOrder {
  readonly url: string;
  /** The service's process. */
  readonly pid: number;
  /** A registered workflow whose run completes at once with the output `ok` of its only unit `quick`. */
  readonly workflowId: string;
}

/** What a client that has nothing to do with an attack saw meanwhile. */
export interface WatchReport {
  /** How long the responses took, without the delays of the machine and of the watcher itself; ascending. */
  readonly health: readonly number[];
  readonly runs: readonly number[];
  /** Responses that were not as they should be, the first of each kind. */
  readonly wrong: readonly string[];
  /** Null where the system does not tell. */
  readonly peakMib: number | null;
}

/** The value below which that share of the ascending values is; 0 for none. */
export function quantile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? 0;
}
