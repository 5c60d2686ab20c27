import { deepFreeze } from '../../core/freeze.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import type { Actor } from '../../core/log/actor.js';
import { eventKind } from '../../core/log/event-kinds.js';
import type { RunEvent } from '../../core/log/event.js';
import { shownActor } from '../../core/log/public-form.js';
import type { Steps } from '../../core/steps.js';
import type { PublicEvent } from '../../public-events.js';
import type { EventView } from '../../vocabulary.js';
import { truncateLarge } from './truncated-values.js';

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

/** An event in one of its views. `path` and `scope` are its location in the view `log`, where it has one. */
interface EventForm {
  readonly type: string;
  readonly data: JsonObject;
  readonly path?: string;
  readonly scope?: string;
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

function formIn(event: RunEvent, view: EventView): EventForm | null {
  return view === 'log' ? logForm(event) : (eventKind(event.type).facts.publicForm?.(event) ?? null);
}

/** An event of the log as it is, without what nobody is shown. */
function logForm(event: RunEvent): EventForm {
  const fields: readonly string[] = eventKind(event.type).facts.logFields;
  const given = event as unknown as Readonly<Record<string, JsonValue | undefined>>;
  const data = Object.fromEntries(
    fields.flatMap((field) => {
      const value = given[field];
      if (value === undefined) return [];
      return [[field, field === 'by' ? shownActor(value as unknown as Actor) : value] as const];
    }),
  );
  return {
    type: event.type,
    data,
    ...('path' in event ? { path: event.path } : {}),
    ...('scope' in event ? { scope: event.scope } : {}),
  };
}

function publicEvent(
  { runId, workflowId }: EventOwner,
  { seq, at }: RunEvent,
  { type, data, path, scope }: EventForm,
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
