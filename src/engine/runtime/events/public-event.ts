import type { JsonObject, JsonValue } from '../../core/json.js';
import type { Actor } from '../../core/log/actor.js';
import type { ForkEdits, RunEvent, RunForked, RunStarted } from '../../core/log/event.js';
import type { ChildEnded, ChildRefused } from '../../core/waits/child-events.js';
import type { UnitScheduled } from '../../core/waits/execution-events.js';
import type { Paused } from '../../core/waits/pause-events.js';
import type { PublicEventType } from '../../public-events.js';

/** The public form of an event, before anything is left out for its size. */
export interface PublicForm {
  readonly type: PublicEventType;
  readonly data: JsonObject;
}

/**
 * The public form of an event of the log; null: it has none. Every field is named here: a field that is added to an event
 * stays private until it is named, too. Never a unit's settings, and of people no more than `shownActor`.
 */
export function publicFormOf(event: RunEvent): PublicForm | null {
  switch (event.type) {
    case 'run-started':
      return { type: 'run.started', data: started(event) };
    case 'run-forked':
      return { type: 'run.forked', data: forked(event) };
    case 'paused':
      return { type: 'run.paused', data: paused(event) };
    case 'child-paused': {
      const { unitId, childRunId } = event;
      return { type: 'run.paused', data: { reason: 'child', unitId, childRunId } };
    }
    case 'resumed':
      return { type: 'run.resumed', data: { pauseId: event.pauseId, by: shownActor(event.by) } };
    case 'child-went-on': {
      const { unitId, childRunId, isStopping } = event;
      // The run moved before, and still does.
      if (isStopping === true) return null;
      return { type: 'run.resumed', data: { reason: 'child', unitId, childRunId } };
    }
    case 'rewound':
      return { type: 'run.rewound', data: { toSeq: event.toSeq, by: shownActor(event.by) } };
    case 'run-completed':
      return { type: 'run.completed', data: {} };
    case 'run-failed':
      return { type: 'run.failed', data: { error: event.error } };
    case 'run-cancelled':
      return { type: 'run.cancelled', data: { by: shownActor(event.by) } };
    case 'unit-scheduled':
      return { type: 'unit.scheduled', data: scheduled(event) };
    case 'timer-set': {
      const { seq: executionId, unitId, dueAt } = event;
      return { type: 'unit.scheduled', data: { executionId, unitId, kind: 'timer', dueAt } };
    }
    case 'child-started': {
      const { seq: executionId, unitId, childRunId, workflowId: childWorkflowId, input } = event;
      const data = { executionId, unitId, kind: 'child', childRunId, childWorkflowId };
      return { type: 'unit.scheduled', data: input === undefined ? data : { ...data, input } };
    }
    case 'unit-attempt-failed': {
      const { executionId, unitId, attempt, error, outcome, retryAt } = event;
      return { type: 'unit.retrying', data: { executionId, unitId, attempt, error, outcome, retryAt } };
    }
    case 'unit-finished': {
      const { executionId, unitId, attempt, output, patch, metadata } = event;
      const usage = event.usage === null ? null : { ...event.usage };
      const data = { executionId, unitId, kind: 'unit', attempt, output, patch, usage, metadata };
      return { type: 'unit.finished', data };
    }
    case 'timer-fired':
      return {
        type: 'unit.finished',
        data: { executionId: event.timerId, unitId: event.unitId, kind: 'timer' },
      };
    case 'child-ended':
    case 'child-refused':
      return childFormOf(event);
    case 'unit-failed': {
      const { executionId, unitId, attempt, error, outcome } = event;
      return { type: 'unit.failed', data: { executionId, unitId, kind: 'unit', attempt, error, outcome } };
    }
    case 'unit-skipped':
      return { type: 'unit.skipped', data: { unitId: event.unitId } };
    case 'state-written':
      return { type: 'state.written', data: { unitId: event.unitId, values: event.values } };
    case 'gate-opened': {
      const { seq: gateId, unitId, title, description, payload, onReject } = event;
      return { type: 'gate.opened', data: { gateId, unitId, title, description, payload, onReject } };
    }
    case 'gate-decided': {
      const { gateId, unitId, approved, responder, comment, failed } = event;
      const by = shownActor(event.by);
      return { type: 'gate.decided', data: { gateId, unitId, approved, responder, by, comment, failed } };
    }
    case 'branch-chosen':
    case 'items-opened':
    case 'condition-read':
    case 'branch-closed':
    case 'node-closed':
    case 'request-noted':
    case 'budget-exceeded':
    case 'family-paused':
    case 'family-resumed':
    case 'rejoined':
    case 'cancel-requested':
    case 'clean-up-started':
    case 'run-imported':
    case 'set-aside':
    case 'recovered':
      return null;
  }
}

/** Who it was, and how that is known: not the account, which the host may know by something that is no name. */
export function shownActor({ id, name, via, auth }: Actor): JsonObject {
  return { id, ...(name === undefined ? {} : { name }), via, auth };
}

function started(event: RunStarted): JsonObject {
  const { input, labels, origin, by, definitionHash, parent } = event;
  return {
    input,
    labels: { ...labels },
    origin: origin.type,
    by: shownActor(by),
    definitionHash,
    parentRunId: parent?.runId ?? null,
  };
}

function forked({ fromRunId, fromSeq, before, edits, by }: RunForked): JsonObject {
  return {
    fromRunId,
    fromSeq,
    ...(before === undefined ? {} : { unitId: before.unitId }),
    edits: shownEdits(edits),
    by: shownActor(by),
  };
}

function shownEdits({ input, state, unitInput, definition, pastGates }: ForkEdits): JsonObject {
  return {
    ...(input === undefined ? {} : { input }),
    ...(state === undefined ? {} : { state }),
    ...(unitInput === undefined ? {} : { unitInput }),
    ...(definition === undefined ? {} : { definition }),
    ...(pastGates === undefined ? {} : { pastGates: [...pastGates] as JsonValue }),
  };
}

function paused({ reason, unitId, executionId, error, by }: Paused): JsonObject {
  return {
    reason,
    // A pause of the whole run is at no unit.
    unitId: unitId === '' ? null : unitId,
    ...(executionId === null ? {} : { executionId }),
    ...(error === undefined ? {} : { error }),
    ...(by === undefined ? {} : { by: shownActor(by) }),
  };
}

function scheduled({ seq: executionId, unitId, input, timeoutMs }: UnitScheduled): JsonObject {
  const data = { executionId, unitId, kind: 'unit', timeoutMs };
  return input === undefined ? data : { ...data, input };
}

/** The unit that started the child ended with it. */
function childFormOf(event: ChildEnded | ChildRefused): PublicForm {
  const { childId: executionId, unitId, childRunId, error } = event;
  const about = { executionId, unitId, kind: 'child', childRunId };
  if (error !== null) return { type: 'unit.failed', data: { ...about, error } };
  if (event.type === 'child-refused') return { type: 'unit.failed', data: { ...about, error: '' } };
  return { type: 'unit.finished', data: { ...about, output: event.output, usage: { ...event.usage } } };
}
