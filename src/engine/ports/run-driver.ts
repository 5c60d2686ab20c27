/** The events that a driver reports to the engine of this process. Shards are numbers from 0 to `shardCount` − 1. */
export interface OwnershipEvents {
  /**
   * This process owns these shards now. `clean`: their last owner released them, so nothing was in flight; else it died, or
   * this is the first owner. May be called again for shards that moved away and came back.
   */
  acquired(shards: readonly number[], how: { readonly clean: boolean }): void;
  /** Give the shard up: resolves when nothing of it is in flight any more. The driver has stopped owning it. */
  release(shard: number): Promise<void>;
  /** These shards became foreign without a release: forget them, write nothing. */
  lost(shards: readonly number[]): void;
  /** Another process appended to a run that is owned here: look at it. May come more than once, or late. */
  nudged(runId: string): void;
}

/**
 * Which process owns a run. A run's id names its shard (`core/ids/shard.ts`); the owner of the shard, and no other process,
 * calls its units, fires its due times and serves it from memory. Any process decides and appends (the log's
 * compare-and-swap fences them) and nudges the owner afterwards.
 *
 * 1. At any instant at most one process owns a shard, as far as the driver can know; `expectedSeq` fences the rest.
 * 2. `owns` is true from the call of `acquired` until `release` or `lost` is called for the shard.
 * 3. A nudge is never needed for safety: what it misses is found by the next sweep of what is due.
 */
export interface RunDriver {
  /** 1 to 256; the same in every process that shares the store. */
  readonly shardCount: number;
  /** True: no other process decides, registers or owns anything in this store. */
  readonly isAlone: boolean;
  /** Takes part. Resolves once the driver knows which shards this process owns to begin with (`acquired` was called). */
  start(events: OwnershipEvents): Promise<void>;
  owns(runId: string): boolean;
  /** The shard for a run that begins here: an owned one where this process owns any. */
  shardForNewRun(): number;
  /** Wakes the owner of the run: something was appended. Does nothing where that is this process. */
  nudge(runId: string): void;
  /**
   * Does `work` in one process at a time, for as long as the engine runs: a follower of the log, a clean-up. The signal
   * fires when the role must end; `work` then resolves soon. Work that rejects is started again after a while.
   */
  role(name: string, work: (signal: AbortSignal) => Promise<void>): void;
  /** Ends the roles and gives up what is owned, without `release`: the engine has stopped already. Safe to call twice. */
  stop(): Promise<void>;
}
