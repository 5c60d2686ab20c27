/** The events that a driver reports to the engine of this process. Shards are numbers from 0 to `shardCount` − 1. */
export interface OwnershipEvents {
  /**
   * This process owns these shards now. `clean`: their last owner released them, so nothing was in flight; else it died, or
   * this is the first owner. May be called again for shards that moved away and came back.
   */
  acquired(shards: readonly number[], how: { readonly clean: boolean }): void;
  /** Give the shard up: resolves when nothing of it is in flight any more. The driver has stopped owning it. */
  release(shard: number): Promise<void>;
  /** These shards became foreign without a release, or before one was over: forget them, write nothing. */
  lost(shards: readonly number[]): void;
  /** Another process appended to a run that is owned here: look at it. May come more than once, or late. */
  nudged(runId: string): void;
  /** Whether nothing of the shard is in flight: such a shard is given up first. Absent: that is not known. */
  isIdle?(shard: number): boolean;
  /**
   * Nudges may have been missed. Those owned runs of these shards that are in memory, or have open executions, are compared
   * with the store, and where another process appended, the run is looked at as when it is nudged. Resolves with the number
   * of those runs.
   */
  look?(shards: readonly number[]): Promise<number>;
}

/** What a driver counts, for metrics. */
export interface DriverFigures {
  /** Processes that take part, this one included. */
  readonly replicas: number;
  readonly shardsOwned: number;
  /** Shards that became foreign without a release, since this process began. */
  readonly shardsLost: number;
  /** Nudges that this process could not send, and those that it was not given, which a look made up for. */
  readonly nudgesMissed: number;
}

/**
 * Which process owns a run. A run's id names its shard (`core/ids/shard.ts`); the owner of the shard, and no other process,
 * calls its units, fires its due times and serves it from memory. Any process decides and appends (the log's
 * compare-and-swap fences them) and nudges the owner afterwards.
 *
 * 1. At any instant at most one process owns a shard, as far as the driver can know; `expectedSeq` fences the rest.
 * 2. `owns` is true from the call of `acquired` until `release` or `lost` is called for the shard. It may be false a moment
 *    before `lost` is called: a process that stood still sees first that it owns nothing any more.
 * 3. A nudge is never needed for safety: what it misses is found by the next `look`, or the next sweep of what is due.
 */
export interface RunDriver {
  /** 1 to 256; the same in every process that shares the store. */
  readonly shardCount: number;
  /** True: no other process decides, registers or owns anything in this store. */
  readonly isAlone: boolean;
  /** How many processes take part, this one included, as it was last seen; 1 before that. Absent: 1. */
  readonly replicaCount?: number;
  /** Takes part. Resolves once the driver knows which shards this process owns to begin with (`acquired` was called). */
  start(events: OwnershipEvents): Promise<void>;
  owns(runId: string): boolean;
  /**
   * Whether a newer build may have written to the run what this one cannot read: nothing of it is read, decided or appended here.
   * Absent: that cannot be.
   */
  isBarred?(runId: string): boolean;
  /** The shard for a run that begins here: an owned one where this process owns any. */
  shardForNewRun(): number;
  /** Wakes the owner of the run: something was appended. Does nothing where that is this process. */
  nudge(runId: string): void;
  /**
   * Does `work` in one process at a time, for as long as the engine runs: a follower of the log, a clean-up. The signal
   * fires when the role must end; `work` then resolves soon. Work that rejects is started again after a while.
   */
  role(name: string, work: (signal: AbortSignal) => Promise<void>): void;
  /**
   * The engine is about to stop: the driver takes no shard any more, and gives up those that it has by `release`, idle ones
   * first, so that others continue with their runs while this process still waits for units. `stop` ends it.
   */
  leave?(): void;
  /** Ends the roles and gives up what is owned, without `release`: the engine has stopped already. Safe to call twice. */
  stop(): Promise<void>;
  figures?(): DriverFigures;
}
