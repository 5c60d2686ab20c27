import { InvalidRequestError } from '../../../../errors/request-errors.js';
import { UnitNotReachedError } from '../../../../errors/run-errors.js';
import { eventKind } from '../../../core/log/event-kinds.js';
import type { RunEvent, RunForked } from '../../../core/log/event.js';
import type { Plan } from '../../../core/plan/plan.js';
import type { RunLogPages } from '../../reading/run-log-pages.js';
import type { RunReader } from '../../reading/run-reader.js';
import type { CheckedLocation } from './checked-fork.js';

/** Where a fork begins in the log of its source. */
export interface FoundLocation {
  /** After this event; 0: it begins anew. */
  readonly fromSeq: number;
  /** The unit that was scheduled next. */
  readonly before?: NonNullable<RunForked['before']>;
}

export interface LocationOptions {
  readonly reader: Pick<RunReader, 'checkpoint'>;
  readonly log: Pick<RunLogPages, 'walk'>;
}

/**
 * Finds the location in the run's log, page by page. Throws a `NoCheckpointError`, an `InvalidRequestError` for a unit that
 * is not in the plan, or a `UnitNotReachedError`.
 */
export async function findLocation(
  { reader, log }: LocationOptions,
  runId: string,
  from: CheckedLocation | null,
  plan: Plan,
): Promise<FoundLocation> {
  if (from === null) return { fromSeq: 0 };
  if ('snapshotId' in from) return { fromSeq: (await reader.checkpoint(runId, from.snapshotId)).seq };
  const { unitId, occurrence: asked } = from;
  if (!plan.units.has(unitId)) {
    const message = `from.unitId is no unit of the workflow: send one of ${[...plan.units.keys()].slice(0, 50).join(', ')}`;
    throw InvalidRequestError.naming([{ path: 'from.unitId', message }]);
  }
  const seen: { location: FoundLocation | null; times: number } = { location: null, times: 0 };
  const see = (event: RunEvent): boolean => {
    const scheduled = unitScheduledBy(event);
    if (scheduled?.unitId !== unitId) return false;
    seen.times += 1;
    if (seen.times === asked) seen.location = { fromSeq: event.seq - 1, before: scheduled };
    return seen.location !== null;
  };
  let afterSeq: number | null = 0;
  while (afterSeq !== null && seen.location === null) afterSeq = await log.walk(runId, afterSeq, see);
  if (seen.location === null) throw new UnitNotReachedError(runId, unitId, asked, seen.times);
  return seen.location;
}

/**
 * The unit that the event schedules: it calls it, opens a gate, a timer or a child run for it, or does it at once; null:
 * none.
 */
export function unitScheduledBy(event: RunEvent): FoundLocation['before'] | null {
  if (!eventKind(event.type).facts.schedulesUnit) return null;
  const { path, scope, unitId } = event as RunEvent & NonNullable<FoundLocation['before']>;
  return { path, scope, unitId };
}
