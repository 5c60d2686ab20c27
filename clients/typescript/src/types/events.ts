import type { JsonObject } from './json.js';

/** What runs did. */
export type RunEventType =
  | 'run.started'
  | 'run.forked'
  | 'run.paused'
  | 'run.resumed'
  | 'run.rewound'
  | 'run.completed'
  | 'run.failed'
  | 'run.cancelled'
  | 'unit.scheduled'
  | 'unit.retrying'
  | 'unit.finished'
  | 'unit.failed'
  | 'unit.skipped'
  | 'compensation.started'
  | 'compensation.failed'
  | 'compensation.finished'
  | 'state.written'
  | 'gate.opened'
  | 'gate.decided'
  | 'gate.closed';

/** `public`: what concerns users. `log`: the log's own events, with their locations, which a graph needs. */
export type EventView = 'public' | 'log';

/** One thing that a run did. */
export interface RunEvent {
  readonly runId: string;
  readonly workflowId: string;
  /** Its position in the run's log; not every one is sent. */
  readonly seq: number;
  /** Epoch ms. */
  readonly at: number;
  /** A `RunEventType`, or one of a newer service; with the view `log` the type of the log's own event. */
  readonly type: string;
  /** As the schema of its type says. */
  readonly data: JsonObject;
  /**
   * What became of the run with this event: `run.paused` or `run.resumed`, whose `data.status` is its status from then on.
   * Absent: its status is as before, or the event says so itself; or the service is older.
   */
  readonly change?: { readonly type: RunEventType; readonly data: JsonObject };
  /** With the view `log`: where in the document, and in which instance. Absent: it has no location. */
  readonly path?: string;
  readonly scope?: string;
  /** Values that were left out of `data` for their size; absent: none. `getEvent` gives the event whole. */
  readonly cut?: readonly CutValue[];
}

export interface CutValue {
  /** Into `data` (RFC 6901). */
  readonly pointer: string;
  /** Of its JSON. */
  readonly bytes: number;
  /** The beginning of its JSON. */
  readonly head: string;
}

export interface EventPage {
  readonly items: readonly RunEvent[];
  /** `afterSeq` of the next page; null: there is nothing more yet. A page may be short, or empty. */
  readonly next: number | null;
}

/** `reset`: the requested position is not known any more, so something may have been missed; it continues from now. */
export type WatchedEvent =
  | {
      readonly type: 'event';
      /** `after` of a later watch. */
      readonly id: string;
      readonly event: RunEvent;
    }
  | { readonly type: 'reset' };
