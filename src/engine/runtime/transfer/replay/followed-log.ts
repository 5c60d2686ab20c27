import { InvalidRequestError } from '../../../../errors/request-errors.js';
import type { RunEvent } from '../../../core/log/event.js';
import type { RunState } from '../../../core/state/state.js';
import type { Steps } from '../../../core/steps.js';
import { foldSteps, type FoldRequest } from '../folded-log.js';
import { isDecidedHere } from './decided-here.js';
import { problemOfExternal } from './external-event.js';
import { ReplayMeter } from './replay-meter.js';
import { compareWithToday } from './todays-event.js';

const WHAT_TO_DO = 'import it with the version of Flowgate that wrote it, or export the run again';

/**
 * Goes through a log that somebody sent, as it is folded: what the engine comes to itself must be what today's engine does
 * there, and what came from outside must meet something that is open. Of such a log only what was answered, decided
 * and told is left to be believed. May be interrupted; the work is bounded. Throws an `InvalidRequestError` that names the
 * first event that does not follow.
 */
export function* followSteps(log: FoldRequest): Steps<void> {
  const { plan, source, events } = log;
  const meter = new ReplayMeter();
  yield* foldSteps(log, function* follows(event, before) {
    const problem = isDecidedHere(event, before)
      ? yield* problemOfEngineEvent(event, before)
      : problemOfExternal(event, { plan, before, source, events });
    if (problem === null) return;
    const where = placeOf(event, before);
    throw new InvalidRequestError(
      `Event ${event.seq} of the export (${event.type}${where === '' ? '' : ` at ${where}`}) ${problem}: ${WHAT_TO_DO}`,
    );
  });

  function* problemOfEngineEvent(event: RunEvent, before: RunState): Steps<string | null> {
    const compared = yield* compareWithToday(plan, before, event, meter);
    if (compared.isSame) return null;
    const { today } = compared;
    if (today === null) return 'does not follow from those before it: the engine does nothing there';
    const other = today.type === event.type ? `another ${today.type}` : today.type;
    return `does not follow from those before it: the engine does ${other} there`;
  }
}

/** Where it stands in the document, as it says itself or as what it is about does; empty: it is about the run. */
function placeOf(event: RunEvent, { waits }: RunState): string {
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
