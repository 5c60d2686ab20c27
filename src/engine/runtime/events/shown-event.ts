import { deepFreeze } from '../../core/freeze.js';
import type { RunEvent } from '../../core/log/event.js';
import type { Steps } from '../../core/steps.js';
import type { EventView, PublicEvent } from '../../public-events.js';
import { cutLarge } from './cut-values.js';
import { viewOf, type LogEventView } from './log-event-view.js';
import { toldOf } from './public-event.js';

/** Whose event it is. */
export interface EventOwner {
  readonly runId: string;
  readonly workflowId: string;
}

export interface Shown {
  readonly event: PublicEvent;
  /** Of its JSON, about. */
  readonly bytes: number;
}

/** About what an event takes beside its data. */
const BYTES_AROUND = 200;

/**
 * An event as it stands in a page or a stream: without its large values, and frozen, for many are told the same. Null: nothing
 * of it is told.
 */
export function* shownOf(owner: EventOwner, event: RunEvent, view: EventView): Steps<Shown | null> {
  const told = toldIn(event, view);
  if (told === null) return null;
  const { data, cut, bytes } = yield* cutLarge(told.data);
  const shown = publicEvent(owner, event, { ...told, data });
  return { event: deepFreeze(cut === null ? shown : { ...shown, cut }), bytes: bytes + BYTES_AROUND };
}

/** The event with all of its values; null: nothing of it is told. */
export function wholeOf(owner: EventOwner, event: RunEvent, view: EventView): PublicEvent | null {
  const told = toldIn(event, view);
  return told === null ? null : publicEvent(owner, event, told);
}

function toldIn(event: RunEvent, view: EventView): LogEventView | null {
  return view === 'log' ? viewOf(event) : toldOf(event);
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
