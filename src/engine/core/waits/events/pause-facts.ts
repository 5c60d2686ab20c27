import type { JsonObject } from '../../json.js';
import { FROM_OUTSIDE, type FactsOf } from '../../log/event-facts.js';
import {
  actor,
  ifThere,
  instant,
  location,
  name,
  oneOf,
  orNull,
  runBudget,
  text,
  whole,
} from '../../log/event-shape.js';
import { shownActor } from '../../log/public-form.js';
import type { Paused, Resumed, Suspension } from './pause-events.js';

/** What the shell has to know of the events of pauses. */
export const PAUSE_FACTS: FactsOf<Paused | Suspension | Resumed> = {
  paused: {
    ...FROM_OUTSIDE,
    // The author's pauses are in the way of a thread; all others are somebody's wish, or a bound.
    isEngineEvent: ({ reason }) => reason === 'before' || reason === 'after',
    mayPause: true,
    publicForm: (event) => ({ type: 'run.paused', data: paused(event) }),
    logFields: ['unitId', 'reason', 'executionId', 'error', 'by', 'graceUntil', 'orderSeq'],
    shape: {
      ...location,
      unitId: name,
      reason: oneOf(
        'before',
        'after',
        'recovery-limit',
        'undecided',
        'limit',
        'crash-limit',
        'requested',
        'budget',
      ),
      executionId: orNull(whole),
      error: ifThere(text),
      by: ifThere(actor),
      graceUntil: ifThere(orNull(instant)),
      orderSeq: ifThere(whole),
    },
  },
  'set-aside': { ...FROM_OUTSIDE, logFields: ['pauseId'], shape: { pauseId: whole } },
  resumed: {
    ...FROM_OUTSIDE,
    // A failed run has no open gates; when it is retried, those that were open when it failed may be open again.
    movesGates: ({ pauseId }) => pauseId === null,
    publicForm: ({ pauseId, by }) => ({ type: 'run.resumed', data: { pauseId, by: shownActor(by) } }),
    logFields: ['pauseId', 'executionId', 'wasAside', 'budget', 'by'],
    shape: {
      pauseId: orNull(whole),
      executionId: orNull(whole),
      wasAside: ifThere(oneOf(true)),
      budget: ifThere(runBudget),
      by: actor,
    },
  },
};

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
