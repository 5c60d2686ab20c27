import { FROM_OUTSIDE, OF_A_THREAD, type FactsOf } from '../../log/event-facts.js';
import {
  anything,
  doneIn,
  ifThere,
  instant,
  location,
  name,
  oneOf,
  orNull,
  shaped,
  text,
  truth,
  usage,
  whole,
} from '../../log/event-shape.js';
import type { PublicForm } from '../../log/public-form.js';
import type { ChildEnded, ChildEvent } from './child-events.js';

const ofChild = { childId: whole, unitId: name, childRunId: name };

/** What the shell has to know of the events of child runs, which are shown as those of the unit that began them. */
export const CHILD_FACTS: FactsOf<ChildEvent> = {
  'child-started': {
    ...OF_A_THREAD,
    schedulesUnit: true,
    publicForm({ seq: executionId, unitId, childRunId, workflowId: childWorkflowId, input }) {
      const data = { executionId, unitId, kind: 'child', childRunId, childWorkflowId };
      return { type: 'unit.scheduled', data: input === undefined ? data : { ...data, input } };
    },
    logFields: ['unitId', 'workflowId', 'childRunId', 'key', 'input', 'counted', 'toldSeq', 'compensable'],
    shape: {
      ...location,
      unitId: name,
      workflowId: name,
      childRunId: name,
      key: orNull(whole),
      input: ifThere(anything),
      counted: ifThere(usage),
      toldSeq: ifThere(whole),
      compensable: ifThere(doneIn),
    },
  },
  'child-paused': {
    ...FROM_OUTSIDE,
    mayPause: true,
    publicForm: ({ unitId, childRunId }) => ({
      type: 'run.paused',
      data: { reason: 'child', unitId, childRunId },
    }),
    logFields: ['childId', 'unitId', 'childRunId', 'childSeq', 'isApart', 'usage'],
    shape: {
      ...ofChild,
      childSeq: ifThere(whole),
      isApart: ifThere(oneOf(true)),
      usage: ifThere(usage),
    },
  },
  'child-went-on': {
    ...FROM_OUTSIDE,
    // A child that is stopping moved before, and still does.
    publicForm: ({ unitId, childRunId, isStopping }) =>
      isStopping === true ? null : { type: 'run.resumed', data: { reason: 'child', unitId, childRunId } },
    logFields: ['childId', 'unitId', 'childRunId', 'childSeq', 'followedSeq', 'isStopping', 'usage'],
    shape: {
      ...ofChild,
      childSeq: ifThere(whole),
      followedSeq: ifThere(whole),
      isStopping: ifThere(oneOf(true)),
      usage: ifThere(usage),
    },
  },
  'child-ended': {
    ...FROM_OUTSIDE,
    mayPause: true,
    publicForm: ended,
    logFields: ['childId', 'unitId', 'childRunId', 'status', 'output', 'error', 'usage', 'childSeq'],
    shape: {
      ...ofChild,
      status: oneOf('completed', 'failed', 'cancelled'),
      output: anything,
      error: orNull(text),
      usage,
      childSeq: whole,
      decided: ifThere(shaped({ approved: truth, responder: name, decidedAt: instant })),
    },
  },
  'child-refused': {
    ...FROM_OUTSIDE,
    mayPause: true,
    publicForm: ({ childId: executionId, unitId, childRunId, error }) => ({
      type: 'unit.failed',
      data: { executionId, unitId, kind: 'child', childRunId, error },
    }),
    logFields: ['childId', 'unitId', 'childRunId', 'error', 'isKept'],
    shape: {
      ...ofChild,
      error: text,
      isKept: ifThere(oneOf(true)),
      again: ifThere(oneOf(true)),
    },
  },
};

/** The unit that started the child ended with it. */
function ended({
  childId: executionId,
  unitId,
  childRunId,
  error,
  output,
  usage: spent,
}: ChildEnded): PublicForm {
  const about = { executionId, unitId, kind: 'child', childRunId };
  return error === null
    ? { type: 'unit.finished', data: { ...about, output, usage: { ...spent } } }
    : { type: 'unit.failed', data: { ...about, error } };
}
