import { deepFreeze } from '../../core/freeze.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import type { Actor } from '../../core/log/actor.js';
import { eventKind } from '../../core/log/event-kinds.js';
import type { NewStatus } from '../../core/log/event-base.js';
import type { RunEvent } from '../../core/log/event.js';
import { shownActor, type PublicForm } from '../../core/log/public-form.js';
import type { Steps } from '../../core/steps.js';
import type { PublicEvent } from '../../public-events.js';
import type { EventView } from '../../vocabulary.js';
import { truncateLarge } from './truncated-values.js';

/** The run that an event belongs to. */
export interface EventOwner {
  /** Whose turn it is to read the log. Default: one for all who say nothing. */
  readonly namespace?: string | undefined;
  readonly runId: string;
  readonly workflowId: string;
  /** Up to which seq who stands as `by` is only claimed, by an import. Default: nobody is. */
  readonly claimedThrough?: number;
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
  readonly change?: PublicForm;
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
  if (view === 'log') return logForm(event);
  const own = withItem(eventKind(event.type).facts.publicForm?.(event) ?? null, event);
  return event.newStatus === undefined ? own : withChange(own, event, event.newStatus);
}

/** Of an event in the pass of a foreach that names its items: which it is. */
function withItem(form: PublicForm | null, { item }: RunEvent): PublicForm | null {
  if (form === null || item === undefined) return form;
  return { ...form, data: { ...form.data, index: item.index, itemKey: item.key } };
}

/**
 * The change has no event of its own: it is told with the event that caused it, under its seq and in its frame, so that a
 * stream that is cut loses neither and repeats neither.
 */
function withChange(own: PublicForm | null, event: RunEvent, status: NewStatus): EventForm {
  const type = status === 'paused' ? 'run.paused' : 'run.resumed';
  // The event says so itself, as a pause that was requested does.
  if (own?.type === type) return { ...own, data: { ...own.data, status } };
  const change: PublicForm = { type, data: { ...reasonOf(event, status), status } };
  return own === null ? change : { ...own, change };
}

function reasonOf(event: RunEvent, status: NewStatus): JsonObject {
  if (status === 'running') return { reason: 'moving' };
  if (event.type === 'gate-opened') return { reason: 'gate', unitId: event.unitId };
  // Nothing moves any more, and what it waits for was told before.
  return { reason: 'waiting', unitId: null };
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
  { runId, workflowId, claimedThrough = 0 }: EventOwner,
  { seq, at }: RunEvent,
  { type, data: shown, path, scope, change }: EventForm,
): PublicEvent {
  const data = seq <= claimedThrough ? withClaim(shown) : shown;
  return {
    runId,
    workflowId,
    seq,
    at,
    type,
    ...(path === undefined ? {} : { path }),
    ...(scope === undefined ? {} : { scope }),
    data,
    ...(change === undefined ? {} : { change }),
  };
}

/** Who did it, as an import says: nobody here knows. */
function withClaim(data: JsonObject): JsonObject {
  const { by } = data;
  if (typeof by !== 'object' || by === null || Array.isArray(by)) return data;
  return { ...data, by: { ...by, claimed: true } };
}
