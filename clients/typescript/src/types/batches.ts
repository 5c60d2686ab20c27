import type { ErrorDetail } from '../errors/error-detail.js';
import type { JsonObject } from './json.js';
import type { RunRecord } from './records.js';

/** Why one run of a batch was not started: what a start by itself would have been refused with. */
export interface RefusedStart {
  /** Everything that is wrong, and what to do. */
  readonly error: string;
  /** Stable, for programs: as docs/http.md lists them. */
  readonly code: string;
  /** Of HTTP; in process what it would be there. */
  readonly status: number;
  /** The error's class, where others have the same status. */
  readonly type?: string;
  /** What `error` says as objects. */
  readonly details?: readonly ErrorDetail[];
  /** A second sentence. */
  readonly detail?: string;
}

/** What became of one run of a batch. `'runId' in one` tells the two apart. */
export type StartedOrRefused<State extends object = JsonObject> = RunRecord<State> | RefusedStart;
