import type { KeyedCallOptions } from '../options.js';
import type { SyncUntil } from '../types/sync-until.js';

/** Where a fork begins: after a checkpoint, or just before a unit was scheduled for the n-th time (default: the first). */
export type ForkPlace =
  | { readonly snapshotId: string; readonly unitId?: undefined; readonly occurrence?: undefined }
  | {
      readonly unitId: string;
      readonly occurrence?: number | undefined;
      readonly snapshotId?: undefined;
    };

export interface ForkOptions extends KeyedCallOptions {
  /** Default: from the start of the run. */
  readonly from?: ForkPlace | undefined;
  /** In place of the run's input. Default: the same. */
  readonly input?: object | undefined;
  /** Laid over the shared state. Default: nothing. */
  readonly state?: object | undefined;
  /** What the unit of `from` is given, in place of what its `with` says. */
  readonly unitInput?: unknown;
  /** Default `pinned`: the definition that the run has. `current`: the one that is registered. */
  readonly definition?: 'pinned' | 'current' | undefined;
  /** Default: none. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Wait until the fork is completed, paused or failed. Default false. */
  readonly sync?: boolean | undefined;
  /** When `sync` is answered. Default `stop`. */
  readonly syncUntil?: SyncUntil | undefined;
}
