import { LOG_ORIGINS } from '../../vocabulary.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { CoreEvent, ForkEdits, RunFailed, RunForked, RunStarted } from '../log/event.js';
import { FROM_OUTSIDE, OF_A_THREAD, type FactsOf } from '../log/event-facts.js';
import {
  actor,
  anything,
  failure,
  failureFacts,
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
  tryExit,
  whole,
  writes,
} from '../log/event-shape.js';
import { RUN_OVERRAN } from '../log/failure.js';
import { shownActor } from '../log/public-form.js';
import { CLOSING_REASONS } from '../state/scope.js';
import type { RunState } from '../state/state.js';
import { deadlineOf, isRunClosing } from '../state/status.js';

/** What the shell has to know of the events that belong to no wait; `core-events.ts` says what they mean for a state. */
export const CORE_FACTS: FactsOf<CoreEvent> = {
  'run-started': {
    ...FROM_OUTSIDE,
    publicForm: (event) => ({ type: 'run.started', data: started(event) }),
    logFields: [
      'workflowId',
      'definitionHash',
      'input',
      'labels',
      'by',
      'origin',
      'parent',
      'deadlineAt',
      'vars',
    ],
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
      vars: ifThere(isObject),
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
  'pass-opened': { ...OF_A_THREAD, logFields: ['key'], shape: { scope: locationText, key: name } },
  'race-entered': { ...OF_A_THREAD, logFields: [], shape: location },
  'condition-read': {
    ...OF_A_THREAD,
    logFields: ['value', 'iteration', 'again'],
    shape: { ...location, value: truth, iteration: whole, again: truth },
  },
  'branch-closed': {
    ...OF_A_THREAD,
    // A branch that completed has no open gate; one that failed may have closed some.
    movesGates: ({ error }) => error !== null,
    logFields: ['error', 'retried', 'failedAt', 'facts', 'failures', 'decides'],
    shape: {
      scope: locationText,
      error: orNull(text),
      retried: truth,
      failedAt: ifThere(locationText),
      facts: ifThere(failureFacts),
      failures: ifThere(whole),
      decides: ifThere(oneOf(true)),
    },
  },
  'node-closed': {
    ...OF_A_THREAD,
    movesGates: ({ winner }) => winner !== undefined,
    logFields: ['writes', 'winner'],
    shape: { ...location, writes, winner: ifThere(whole) },
  },
  'request-noted': {
    ...FROM_OUTSIDE,
    logFields: ['request'],
    shape: { request: oneOf('resume', 'hitl', 'cancel', 'pause', 'compensate') },
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
  unwinding: {
    ...OF_A_THREAD,
    isEngineEvent: ({ reason }) => reason === 'failure' || reason === 'race',
    movesGates: true,
    logFields: ['reason', 'error', 'since', 'except'],
    shape: {
      scope: locationText,
      path: locationText,
      reason: oneOf(...CLOSING_REASONS),
      error: orNull(failure),
      // Of a fork, what was entered before it has a seq of 0 or less.
      since: ifThere(Number.isSafeInteger),
      except: ifThere(locationText),
    },
  },
  'compensation-requested': {
    ...FROM_OUTSIDE,
    publicForm: ({ by }) => ({ type: 'run.resumed', data: { by: shownActor(by), reason: 'compensate' } }),
    logFields: ['by'],
    shape: { by: actor },
  },
  'compensation-started': {
    ...OF_A_THREAD,
    publicForm: ({ owed }) => ({ type: 'compensation.started', data: { owed } }),
    logFields: ['owed'],
    shape: { scope: locationText, path: locationText, owed: whole },
  },
  'compensation-failed': {
    ...OF_A_THREAD,
    publicForm: ({ executionId, error }) => ({ type: 'compensation.failed', data: { executionId, error } }),
    logFields: ['executionId', 'error'],
    shape: { executionId: whole, error: text },
  },
  'compensation-finished': {
    ...OF_A_THREAD,
    publicForm: ({ done, failed, unknown }) => ({
      type: 'compensation.finished',
      data: { done, failed, unknown },
    }),
    logFields: ['done', 'failed', 'unknown'],
    shape: { scope: locationText, path: locationText, done: whole, failed: whole, unknown: whole },
  },
  'failure-caught': {
    ...OF_A_THREAD,
    movesGates: true,
    logFields: ['error'],
    shape: { ...location, error: failure },
  },
  'finally-begun': {
    ...OF_A_THREAD,
    movesGates: true,
    logFields: ['error', 'exit'],
    shape: { ...location, error: orNull(failure), exit: tryExit },
  },
  'try-left': {
    ...OF_A_THREAD,
    movesGates: true,
    logFields: ['error', 'exit'],
    shape: { ...location, error: orNull(failure), exit: tryExit },
  },
  'run-completed': {
    ...OF_A_THREAD,
    movesGates: true,
    publicForm: ({ output }) => ({ type: 'run.completed', data: output === undefined ? {} : { output } }),
    logFields: ['output'],
    shape: { output: ifThere(anything) },
  },
  'run-failed': {
    ...OF_A_THREAD,
    isEngineEvent: (event, before) => !isOverrun(event, before),
    movesGates: true,
    publicForm: ({ error }) => ({ type: 'run.failed', data: { error } }),
    logFields: ['error', 'unwound'],
    shape: { error: text, unwound: ifThere(oneOf(true)) },
  },
  'cancel-requested': {
    ...FROM_OUTSIDE,
    movesGates: true,
    logFields: ['by', 'graceUntil'],
    shape: { by: actor, graceUntil: instant },
  },
  'clean-up-started': {
    ...FROM_OUTSIDE,
    // Each `finally` has run, and this is what comes after them.
    isEngineEvent: (_event, before) => isRunClosing(before),
    logFields: [],
    shape: { path: locationText },
  },
  'run-cancelled': {
    ...FROM_OUTSIDE,
    // The end of its clean-up, or of what was undone after it.
    isEngineEvent: (_event, { cancelling, again }) =>
      cancelling?.isCleaningUp === true || again !== undefined,
    movesGates: true,
    publicForm: ({ by }) => ({ type: 'run.cancelled', data: { by: shownActor(by) } }),
    logFields: ['by'],
    shape: { by: actor },
  },
};

/** Whether the run's time was up: no thread made it fail. */
function isOverrun({ at, error }: RunFailed, before: RunState): boolean {
  const deadline = before.cancelling === null ? deadlineOf(before) : null;
  return deadline !== null && deadline <= at && error.startsWith(RUN_OVERRAN);
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
