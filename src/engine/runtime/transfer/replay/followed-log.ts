import { InvalidRequestError } from '../../../../errors/request-errors.js';
import { isEngineEvent } from '../../../core/log/event-kinds.js';
import type { RunEvent } from '../../../core/log/event.js';
import type { RunState } from '../../../core/state/state.js';
import type { Steps } from '../../../core/steps.js';
import { foldSteps, type FoldRequest } from '../folded-log.js';
import { problemOfExternal } from './external-event.js';
import { ReplayMeter } from './replay-meter.js';
import { compareWithReplayed } from './replayed-event.js';

const WHAT_TO_DO = 'import it with the version of Flowgate that wrote it, or export the run again';

/**
 * Goes through a log that was sent, as it is folded: an engine event must be what today's engine does there, and an event
 * from outside must meet something that is open. Only the outcomes, decisions and notifications of such a log are left to be
 * believed. May be interrupted; the work is bounded. Throws an `InvalidRequestError` that names the first event that does
 * not follow.
 */
export function* followSteps(log: FoldRequest): Steps<void> {
  const { plan, source, events } = log;
  const meter = new ReplayMeter();
  yield* foldSteps(log, function* follows(event, before) {
    const problem = isEngineEvent(event, before)
      ? yield* problemOfEngineEvent(event, before)
      : problemOfExternal(event, { plan, before, source, events });
    if (problem === null) return;
    const where = locationOf(event, before);
    throw new InvalidRequestError(
      `Event ${event.seq} of the export (${event.type}${where === '' ? '' : ` at ${where}`}) ${problem}: ${WHAT_TO_DO}`,
    );
  });

  function* problemOfEngineEvent(event: RunEvent, before: RunState): Steps<string | null> {
    const compared = yield* compareWithReplayed(plan, before, event, meter);
    if (compared.isSame) return null;
    const { replayed } = compared;
    if (replayed === null) return 'does not follow from those before it: the engine does nothing there';
    const other = replayed.type === event.type ? `another ${replayed.type}` : replayed.type;
    return `does not follow from those before it: the engine does ${other} there`;
  }
}

/** The location that the event, or else the wait that it is about, has in the document; empty: it is about the run. */
function locationOf(event: RunEvent, { waits }: RunState): string {
  if ('path' in event) return event.path;
  if ('scope' in event) return event.scope;
  const id = waitIn(event);
  return id === null ? '' : (waits.get(id)?.path ?? '');
}

function waitIn(event: RunEvent): number | null {
  if ('executionId' in event && event.executionId !== null) return event.executionId;
  if ('gateId' in event) return event.gateId;
  if ('timerId' in event) return event.timerId;
  if ('childId' in event) return event.childId;
  return 'pauseId' in event ? event.pauseId : null;
}
