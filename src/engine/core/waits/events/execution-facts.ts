import type { JsonObject } from '../../json.js';
import { FROM_OUTSIDE, OF_A_THREAD, type FactsOf } from '../../log/event-facts.js';
import {
  amount,
  anything,
  doneIn,
  ifThere,
  instant,
  listOf,
  location,
  name,
  object,
  oneOf,
  orNull,
  outcome,
  text,
  truth,
  usage,
  whole,
  writes,
} from '../../log/event-shape.js';
import type { ExecutionEvent, UnitScheduled } from './execution-events.js';

/** What the shell has to know of the events of an execution. */
export const EXECUTION_FACTS: FactsOf<ExecutionEvent> = {
  'unit-scheduled': {
    ...OF_A_THREAD,
    schedulesUnit: true,
    publicForm: (event) => ({ type: 'unit.scheduled', data: scheduled(event) }),
    logFields: ['unitId', 'input', 'key', 'timeoutMs', 'compensable', 'compensates'],
    shape: {
      ...location,
      unitId: name,
      input: ifThere(anything),
      settings: orNull(object),
      key: orNull(whole),
      timeoutMs: amount,
      compensable: ifThere(doneIn),
      compensates: ifThere(whole),
    },
  },
  'unit-attempt-failed': {
    ...FROM_OUTSIDE,
    publicForm: ({ executionId, unitId, attempt, error, outcome: how, retryAt }) => ({
      type: 'unit.retrying',
      data: { executionId, unitId, attempt, error, outcome: how, retryAt },
    }),
    logFields: ['executionId', 'unitId', 'attempt', 'error', 'outcome', 'retryAt'],
    shape: { executionId: whole, unitId: name, attempt: whole, error: text, outcome, retryAt: instant },
  },
  'unit-finished': {
    ...FROM_OUTSIDE,
    mayPause: true,
    publicForm: ({ executionId, unitId, attempt, output, patch, usage: spent, metadata }) => ({
      type: 'unit.finished',
      data: {
        executionId,
        unitId,
        kind: 'unit',
        attempt,
        output,
        patch,
        usage: spent === null ? null : { ...spent },
        metadata,
      },
    }),
    logFields: ['executionId', 'unitId', 'attempt', 'output', 'patch', 'usage', 'metadata'],
    shape: {
      executionId: whole,
      unitId: name,
      attempt: whole,
      output: anything,
      patch: orNull(writes),
      usage: orNull(usage),
      metadata: orNull(object),
    },
  },
  'unit-failed': {
    ...FROM_OUTSIDE,
    mayPause: true,
    publicForm: ({ executionId, unitId, attempt, error, outcome: how }) => ({
      type: 'unit.failed',
      data: { executionId, unitId, kind: 'unit', attempt, error, outcome: how },
    }),
    logFields: ['executionId', 'unitId', 'attempt', 'error', 'retryable', 'outcome', 'code', 'status'],
    shape: {
      executionId: whole,
      unitId: name,
      attempt: whole,
      error: text,
      retryable: truth,
      outcome,
      code: ifThere(oneOf('unit', 'timeout', 'budget')),
      status: ifThere(whole),
    },
  },
  recovered: {
    ...FROM_OUTSIDE,
    logFields: ['executionIds'],
    shape: { executionIds: listOf(whole) },
  },
};

function scheduled({ seq: executionId, unitId, input, timeoutMs, compensates }: UnitScheduled): JsonObject {
  const undoes = compensates === undefined ? {} : { compensates };
  const data = { executionId, unitId, kind: 'unit', timeoutMs, ...undoes };
  return input === undefined ? data : { ...data, input };
}
