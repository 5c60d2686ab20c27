import type { JsonObject, JsonValue, RunRecord } from '../../../src/engine/index.js';
import type { Refusal } from './engine.ts';
import type { Called } from './units.ts';

/** A gate or checkpoint of a unit, by how many of that unit there were before; counts from 0. */
export type Nth = readonly [unitId: string, nth: number];

/** What somebody does to a run. */
export type Step =
  /** The request that started the run, once more. */
  | { readonly do: 'start-again'; readonly input: JsonObject; readonly idempotencyKey: string }
  /** `to`: the checkpoint after a completion of that unit. */
  | { readonly do: 'resume'; readonly to?: Nth; readonly idempotencyKey?: string }
  /** `gate`: left out when one is open. */
  | {
      readonly do: 'decide';
      readonly approved: boolean;
      readonly gate?: Nth;
      readonly idempotencyKey?: string;
    }
  /** Lets time pass until the newest retry is due, to the ms. Before it, the run is not to move; at it, it continues. */
  | { readonly do: 'wait'; readonly until: 'before-the-retry' | 'the-retry' }
  /** Nothing is done: the run continues by itself until it stops. */
  | { readonly do: 'watch' };

/** What is compared of a record: everything but times. */
export interface Gist {
  readonly runId: string;
  readonly status: string;
  readonly error?: string;
  readonly completedUnits?: readonly string[];
  readonly state?: JsonValue;
  readonly tokenUsage?: number;
  readonly cost?: number;
}

/** A checkpoint as it is read. */
export interface CheckpointGist {
  readonly snapshotId: string;
  readonly after: string;
  readonly unitId: string;
  readonly completedUnits: readonly string[];
  readonly state: JsonValue;
}

/** What became of a run, step by step, and whom the build called for it. */
export interface Ending {
  /** The whole record before the first step; null for one that is moving. */
  readonly found: RunRecord | null;
  /** Before the first step, oldest first; null unless the run is looked back upon. */
  readonly checkpoints: readonly CheckpointGist[] | null;
  readonly answers: readonly (Gist | Refusal)[];
  readonly end: Gist;
  /** In the order of their keys. */
  readonly calls: readonly Called[];
}

/** One run of a data folder: how it was left, and how the release that left it brings it to its end. */
export interface ManifestRun {
  readonly name: string;
  /** How it was left: a sentence. */
  readonly is: string;
  readonly runId: string;
  /** It was left running, so it moves as soon as the folder is open. */
  readonly isMoving: boolean;
  readonly isLookedBackUpon: boolean;
  readonly steps: readonly Step[];
  /** Registered again before the first step, with the binding's new address if it has one; null: the store knows it. */
  readonly registration: { readonly yaml: string; readonly uses: string | null } | null;
  /** Whether its unit is called at the address that the folder holds. */
  readonly isCalledAsBound: boolean;
  readonly ending: Ending;
}

/** The same for the plain and for the encrypted folder. */
export interface Manifest {
  /** Epoch ms; the folder was left before. */
  readonly openedAt: number;
  readonly runs: readonly ManifestRun[];
}
