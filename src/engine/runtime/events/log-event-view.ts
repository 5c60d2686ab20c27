import type { JsonObject, JsonValue } from '../../core/json.js';
import type { EventBase } from '../../core/log/event-base.js';
import type { RunEvent } from '../../core/log/event.js';
import type { Actor } from '../../core/log/actor.js';
import { shownActor } from './public-event.js';

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>;
/** The fields of an event, without those that all events have, its location, and what nobody is shown. */
type Field<Type extends RunEvent['type']> = Exclude<
  keyof EventOf<Type>,
  keyof EventBase | 'type' | 'path' | 'scope' | 'settings'
>;

/** The fields of each event that are shown: a new type, like a new field, is shown to nobody until it is listed here. */
const FIELDS: { readonly [Type in RunEvent['type']]: readonly Field<Type>[] } = {
  'run-started': ['workflowId', 'definitionHash', 'input', 'labels', 'by', 'origin', 'parent', 'deadlineAt'],
  'run-forked': ['fromRunId', 'fromSeq', 'edits', 'by'],
  'run-imported': ['sha256', 'by'],
  'unit-skipped': ['unitId'],
  'state-written': ['unitId', 'values'],
  'branch-chosen': ['branch', 'source', 'task'],
  'items-opened': ['kind', 'items'],
  'condition-read': ['value', 'iteration', 'again'],
  'branch-closed': ['error', 'retried', 'failedAt'],
  'node-closed': ['writes'],
  'request-noted': ['request'],
  'budget-exceeded': ['executionId', 'unitId', 'violation'],
  rewound: ['toSeq', 'budget', 'by'],
  rejoined: [],
  'run-completed': [],
  'run-failed': ['error'],
  'cancel-requested': ['by', 'graceUntil'],
  'clean-up-started': [],
  'run-cancelled': ['by'],
  'unit-scheduled': ['unitId', 'input', 'key', 'timeoutMs'],
  'unit-attempt-failed': ['executionId', 'unitId', 'attempt', 'error', 'outcome', 'retryAt'],
  'unit-finished': ['executionId', 'unitId', 'attempt', 'output', 'patch', 'usage', 'metadata'],
  'unit-failed': ['executionId', 'unitId', 'attempt', 'error', 'retryable', 'outcome'],
  recovered: ['executionIds'],
  'gate-opened': ['unitId', 'title', 'description', 'payload', 'onReject'],
  'gate-decided': ['gateId', 'unitId', 'approved', 'responder', 'by', 'comment', 'failed'],
  paused: ['unitId', 'reason', 'executionId', 'error', 'by', 'graceUntil', 'orderSeq'],
  'family-paused': ['by'],
  'family-resumed': ['seenSeq', 'budget', 'given', 'by'],
  'set-aside': ['pauseId'],
  resumed: ['pauseId', 'executionId', 'wasAside', 'budget', 'by'],
  'timer-set': ['unitId', 'dueAt'],
  'timer-fired': ['timerId', 'unitId'],
  'child-started': ['unitId', 'workflowId', 'childRunId', 'key', 'input', 'counted', 'toldSeq'],
  'child-paused': ['childId', 'unitId', 'childRunId', 'childSeq', 'isApart', 'usage'],
  'child-went-on': ['childId', 'unitId', 'childRunId', 'childSeq', 'followedSeq', 'isStopping', 'usage'],
  'child-ended': ['childId', 'unitId', 'childRunId', 'status', 'output', 'error', 'usage', 'childSeq'],
  'child-refused': ['childId', 'unitId', 'childRunId', 'error', 'isKept'],
};

/** An event of the log as it is, without what nobody is shown; `path` and `scope` are its location, where it has one. */
export interface LogEventView {
  readonly type: string;
  readonly data: JsonObject;
  readonly path?: string;
  readonly scope?: string;
}

export function viewOf(event: RunEvent): LogEventView {
  const { type } = event;
  const fields: readonly string[] = FIELDS[type];
  const given = event as unknown as Readonly<Record<string, JsonValue | undefined>>;
  const data = Object.fromEntries(
    fields.flatMap((name) => {
      const value = given[name];
      if (value === undefined) return [];
      return [[name, name === 'by' ? shownActor(value as unknown as Actor) : value] as const];
    }),
  );
  return {
    type,
    data,
    ...('path' in event ? { path: event.path } : {}),
    ...('scope' in event ? { scope: event.scope } : {}),
  };
}
