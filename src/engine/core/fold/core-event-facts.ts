import { LOG_ORIGINS } from '../../vocabulary.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { CoreEvent, ForkEdits, RunFailed, RunForked, RunStarted } from '../log/event.js';
import { FROM_OUTSIDE, OF_A_THREAD, type FactsOf } from '../log/event-facts.js';
import {
  actor,
  anything,
  ifThere,
  instant,
  isObject,
  listOf,
  location,
  locationText,
  name,
  oneOf,
  orNull,
  runBudget,
  shaped,
  text,
  truth,
  whole,
  writes,
} from '../log/event-shape.js';
import { shownActor } from '../log/public-form.js';
import type { RunState } from '../state/state.js';
import { deadlineOf } from '../state/status.js';

/** What the shell has to know of the events that belong to no wait; `core-events.ts` says what they mean for a state. */
export const CORE_FACTS: FactsOf<CoreEvent> = {
  'run-started': {
    ...FROM_OUTSIDE,
    publicForm: (event) => ({ type: 'run.started', data: started(event) }),
    logFields: ['workflowId', 'definitionHash', 'input', 'labels', 'by', 'origin', 'parent', 'deadlineAt'],
    shape: {
      runId: name,
      namespace: name,
      workflowId: name,
      definitionHash: name,
      input: writes,
      labels: (value) => isObject(value) && Object.values(value).every(text),
      by: actor,
      origin: shaped({ type: oneOf(...LOG_ORIGINS) }),
      parent: orNull(shaped({ runId: name, executionId: whole, depth: ifThere(whole) })),
      deadlineAt: orNull(instant),
    },
  },
  'run-forked': {
    ...FROM_OUTSIDE,
    publicForm: (event) => ({ type: 'run.forked', data: forked(event) }),
    logFields: ['fromRunId', 'fromSeq', 'edits', 'by'],
    shape: {
      fromRunId: name,
      fromSeq: whole,
      before: ifThere(shaped({ ...location, unitId: name })),
      edits: shaped({
        input: ifThere(oneOf(true)),
        state: ifThere(writes),
        unitInput: ifThere(anything),
        definition: ifThere(name),
        // The gate ids of a fork of a fork are 0 or less.
        pastGates: ifThere(listOf(Number.isSafeInteger)),
      }),
      by: actor,
    },
  },
  'run-imported': { ...FROM_OUTSIDE, logFields: ['sha256', 'by'], shape: { sha256: name, by: actor } },
  'unit-skipped': {
    ...OF_A_THREAD,
    publicForm: ({ unitId }) => ({ type: 'unit.skipped', data: { unitId } }),
    logFields: ['unitId'],
    shape: { ...location, unitId: name },
  },
  'state-written': {
    ...OF_A_THREAD,
    schedulesUnit: true,
    publicForm: ({ unitId, values }) => ({ type: 'state.written', data: { unitId, values } }),
    logFields: ['unitId', 'values'],
    shape: { ...location, unitId: name, values: writes },
  },
  'branch-chosen': {
    ...OF_A_THREAD,
    logFields: ['branch', 'source', 'task'],
    shape: { ...location, branch: text, source: orNull(name), task: anything },
  },
  'items-opened': {
    ...OF_A_THREAD,
    logFields: ['kind', 'items'],
    shape: { ...location, kind: oneOf('passes', 'delegations'), items: listOf(anything) },
  },
  'condition-read': {
    ...OF_A_THREAD,
    logFields: ['value', 'iteration', 'again'],
    shape: { ...location, value: truth, iteration: whole, again: truth },
  },
  'branch-closed': {
    ...OF_A_THREAD,
    // A branch that completed has no open gate; one that failed may have closed some.
    movesGates: ({ error }) => error !== null,
    logFields: ['error', 'retried', 'failedAt'],
    shape: {
      scope: locationText,
      error: orNull(text),
      retried: truth,
      failedAt: ifThere(locationText),
    },
  },
  'node-closed': { ...OF_A_THREAD, logFields: ['writes'], shape: { ...location, writes } },
  'request-noted': {
    ...FROM_OUTSIDE,
    logFields: ['request'],
    shape: { request: oneOf('resume', 'hitl', 'cancel', 'pause') },
  },
  'budget-exceeded': {
    ...FROM_OUTSIDE,
    logFields: ['executionId', 'unitId', 'violation'],
    shape: { executionId: whole, unitId: name, violation: text },
  },
  rewound: {
    ...FROM_OUTSIDE,
    movesGates: true,
    publicForm: ({ toSeq, by }) => ({ type: 'run.rewound', data: { toSeq, by: shownActor(by) } }),
    logFields: ['toSeq', 'budget', 'by'],
    shape: { toSeq: whole, budget: ifThere(runBudget), by: actor },
  },
  rejoined: { ...FROM_OUTSIDE, logFields: [], shape: {} },
  'run-completed': {
    ...OF_A_THREAD,
    movesGates: true,
    publicForm: () => ({ type: 'run.completed', data: {} }),
    logFields: [],
    shape: {},
  },
  'run-failed': {
    ...OF_A_THREAD,
    isEngineEvent: (event, before) => !isOverrun(event, before),
    movesGates: true,
    publicForm: ({ error }) => ({ type: 'run.failed', data: { error } }),
    logFields: ['error'],
    shape: { error: text },
  },
  'cancel-requested': {
    ...FROM_OUTSIDE,
    logFields: ['by', 'graceUntil'],
    shape: { by: actor, graceUntil: instant },
  },
  'clean-up-started': { ...FROM_OUTSIDE, logFields: [], shape: { path: locationText } },
  'run-cancelled': {
    ...FROM_OUTSIDE,
    // The end of its clean-up.
    isEngineEvent: (_event, { cancelling }) => cancelling?.isCleaningUp === true,
    movesGates: true,
    publicForm: ({ by }) => ({ type: 'run.cancelled', data: { by: shownActor(by) } }),
    logFields: ['by'],
    shape: { by: actor },
  },
};

/** Whether the run's time was up: no thread made it fail. */
function isOverrun({ at, error }: RunFailed, before: RunState): boolean {
  const deadline = before.cancelling === null ? deadlineOf(before) : null;
  return deadline !== null && deadline <= at && error.startsWith('The run overran its time-out');
}

function started({ input, labels, origin, by, definitionHash, parent }: RunStarted): JsonObject {
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
