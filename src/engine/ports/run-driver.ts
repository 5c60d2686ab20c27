/** What a driver tells the engine of this process. Lanes are numbers from 0 to `laneCount` − 1. */
export interface OwnershipEvents {
  /**
   * These lanes are this process's now. `clean`: whoever owned them let go of them, so nothing was in flight; else it
   * died, or this is the first owner. May be called again for lanes that moved away and came back.
   */
  acquired(lanes: readonly number[], how: { readonly clean: boolean }): void;
  /** Give the lane up: resolves when nothing of it is in flight any more. The driver has stopped owning it. */
  release(lane: number): Promise<void>;
  /** These lanes went to somebody else without being asked for: forget them, write nothing. */
  lost(lanes: readonly number[]): void;
  /** Another process appended to a run of ours: look at it. May come more than once, or late. */
  nudged(runId: string): void;
}

/**
 * Which process owns a run. A run's id names its lane (`core/lane.ts`); the owner of the lane, and nobody else, calls
 * its units, fires its due times and answers for it from memory. Any process decides and appends (the log's
 * compare-and-swap fences them) and nudges the owner afterwards.
 *
 * 1. At any instant at most one process owns a lane, as far as the driver can know; `expectedSeq` fences the rest.
 * 2. `owns` is true from the call of `acquired` until `release` or `lost` is called for the lane.
 * 3. A nudge is never needed for safety: what it misses is found by the next sweep of what is due.
 */
export interface RunDriver {
  /** 1 to 256; the same in every process that shares the store. */
  readonly laneCount: number;
  /** True: no other process decides, registers or owns anything in this store. */
  readonly isAlone: boolean;
  /** Takes part. Resolves once the driver knows which lanes are ours to begin with (`acquired` was called). */
  start(events: OwnershipEvents): Promise<void>;
  owns(runId: string): boolean;
  /** The lane for a run that begins here: one of ours where we own any. */
  laneForNewRun(): number;
  /** Tells the owner of the run that something was appended. Nothing to do where that is us. */
  nudge(runId: string): void;
  /**
   * Does `work` in one process at a time, for as long as the engine runs: a follower of the log, a clean-up. The
   * signal fires when the role must end; `work` then resolves soon. One that rejects is begun again after a while.
   */
  role(name: string, work: (signal: AbortSignal) => Promise<void>): void;
  /** Ends the roles and gives up what is owned, without `release`: the engine has stopped already. Safe to call twice. */
  stop(): Promise<void>;
}
