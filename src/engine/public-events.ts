import type { JsonObject } from './core/json.js';
import type { PublicForm } from './core/log/public-form.js';

export { PUBLIC_EVENT_TYPES, type PublicEventType } from './core/log/public-form.js';

/** One thing that a run did. */
export interface PublicEvent {
  readonly runId: string;
  readonly workflowId: string;
  /** Its seq in the run's log; not every entry of the log has an event here. */
  readonly seq: number;
  /** Epoch ms. */
  readonly at: number;
  /** One of `PUBLIC_EVENT_TYPES`; with the view `log` the type of the log's own event. */
  readonly type: string;
  /** As the schema of its type says. */
  readonly data: JsonObject;
  /**
   * What became of the run with this event, under the same seq: `run.paused` or `run.resumed`. Absent: its status is as
   * before, or the event says so itself. Their `data.status` is the run's status from then on. Not with the view `log`.
   */
  readonly change?: PublicForm;
  /** With the view `log`: where in the document, and in which instance. Absent: it has no location. */
  readonly path?: string;
  readonly scope?: string;
  /** Values that were left out of `data` for their size; absent: none. */
  readonly cut?: readonly CutValue[];
}

export interface CutValue {
  /** A JSON pointer into `data` (RFC 6901). */
  readonly pointer: string;
  /** The size of its JSON. */
  readonly bytes: number;
  /** The beginning of its JSON. */
  readonly head: string;
}

export interface PublicEventPage {
  readonly items: readonly PublicEvent[];
  /** `afterSeq` of the next page; null: there is nothing more yet. A page may be short, or empty. */
  readonly next: number | null;
}
