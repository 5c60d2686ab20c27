import { deepFreeze } from '../../core/freeze.js';
import type { RunEvent } from '../../core/log/event.js';
import type { Steps } from '../../core/steps.js';
import type { EventView, PublicEvent } from '../../public-events.js';
import { truncateLarge } from './truncated-values.js';
import { viewOf, type LogEventView } from './log-event-view.js';
import { publicFormOf } from './public-event.js';

/** The run that an event belongs to. */
export interface EventOwner {
  readonly runId: string;
  readonly workflowId: string;
}

export interface Shown {
  readonly event: PublicEvent;
  /** The approximate size of its JSON. */
  readonly bytes: number;
}

/** About how much an event takes in addition to its data. */
const BYTES_AROUND = 200;

/**
 * An event as a page or a stream shows it: without its large values, and frozen, since many clients share it. Null: the
 * event is not shown.
 */
export function* shownOf(owner: EventOwner, event: RunEvent, view: EventView): Steps<Shown | null> {
  const form = formIn(event, view);
  if (form === null) return null;
  const { data, cut, bytes } = yield* truncateLarge(form.data);
  const shown = publicEvent(owner, event, { ...form, data });
  return { event: deepFreeze(cut === null ? shown : { ...shown, cut }), bytes: bytes + BYTES_AROUND };
}

/** The event with all of its values; null: it is not shown. */
export function wholeOf(owner: EventOwner, event: RunEvent, view: EventView): PublicEvent | null {
  const form = formIn(event, view);
  return form === null ? null : publicEvent(owner, event, form);
}

function formIn(event: RunEvent, view: EventView): LogEventView | null {
  return view === 'log' ? viewOf(event) : publicFormOf(event);
}

function publicEvent(
  { runId, workflowId }: EventOwner,
  { seq, at }: RunEvent,
  { type, data, path, scope }: LogEventView,
): PublicEvent {
  return {
    runId,
    workflowId,
    seq,
    at,
    type,
    ...(path === undefined ? {} : { path }),
    ...(scope === undefined ? {} : { scope }),
    data,
  };
}
