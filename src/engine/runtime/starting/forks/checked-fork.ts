import { InvalidRequestError, type RequestFault } from '../../../../errors/request-errors.js';
import type { JsonObject, JsonValue } from '../../../core/json.js';
import { problemOfKeys } from '../../../core/plan/key-bounds.js';
import { copyJson } from '../../../json/copy-json.js';
import { FORK_DEFINITIONS, type ForkDefinition, type SyncUntil } from '../../../vocabulary.js';
import { checkedLabels, type Labels } from '../checked-start.js';
import type { KeyedRequest } from '../idempotency.js';
import { checkSyncUntil, untilGate } from '../new-runs.js';
import type { ForkPlace, ForkRequest } from '../../run-requests.js';

export type CheckedLocation =
  { readonly snapshotId: string } | { readonly unitId: string; readonly occurrence: number };

/** A request whose shape is right: frozen copies of what it has, absent where it has nothing. */
export interface CheckedFork {
  readonly from: CheckedLocation | null;
  readonly input?: JsonObject;
  /** Not empty. */
  readonly state?: JsonObject;
  readonly unitInput?: JsonValue;
  readonly definition: ForkDefinition;
  readonly labels: Labels;
  readonly sync: boolean;
  readonly syncUntil?: SyncUntil;
}

/** Throws an `InvalidRequestError` that names what is wrong. What requires the run and its plan is checked later. */
export function checkedFork(request: ForkRequest): CheckedFork {
  const { from, definition = 'pinned', sync = false } = request;
  checkSyncUntil(request);
  if (!FORK_DEFINITIONS.includes(definition))
    throw fault('definition', 'must be pinned (as the run has it) or current (as it is registered now)');
  const input = objectOf('input', request.input);
  const state = objectOf('state', request.state);
  const unitInput = request.unitInput === undefined ? undefined : valueOf('unitInput', request.unitInput);
  const location = locationOf(from);
  if (unitInput !== undefined && (location === null || 'snapshotId' in location))
    throw fault('unitInput', 'is for the unit that the fork begins at: name it with from.unitId');
  return {
    from: location,
    ...(input === undefined ? {} : { input }),
    ...(state === undefined || Object.keys(state).length === 0 ? {} : { state }),
    ...(unitInput === undefined ? {} : { unitInput }),
    definition,
    labels: checkedLabels(request.labels),
    sync,
    ...untilGate(request),
  };
}

/** What must be the same when the key comes again: everything that the request specifies. */
export function contentOf(asked: CheckedFork): KeyedRequest['content'] {
  return { ...asked };
}

function locationOf(from: ForkPlace | undefined): CheckedLocation | null {
  if (from === undefined) return null;
  const { snapshotId, unitId, occurrence } = from as {
    [K in 'snapshotId' | 'unitId' | 'occurrence']?: unknown;
  };
  if (typeof snapshotId === 'string' && unitId === undefined && occurrence === undefined)
    return { snapshotId };
  if (typeof unitId !== 'string' || snapshotId !== undefined)
    throw fault(
      'from',
      'must be {"snapshotId": "…"}, or {"unitId": "…", "occurrence": 1}: send one of the two',
    );
  const isCount = Number.isSafeInteger(occurrence) && (occurrence as number) >= 1;
  if (occurrence !== undefined && !isCount)
    throw fault('from.occurrence', 'must be a whole number from 1 on');
  // The occurrence is spelled out, so that the same location is the same content.
  return { unitId, occurrence: (occurrence as number | undefined) ?? 1 };
}

function objectOf(name: string, given: JsonObject | undefined): JsonObject | undefined {
  if (given === undefined) return undefined;
  const copy = valueOf(name, given);
  if (typeof copy !== 'object' || copy === null || Array.isArray(copy))
    throw fault(name, 'must be an object');
  const problem = problemOfKeys(copy as JsonObject);
  if (problem !== null) throw fault(name, problem);
  return copy as JsonObject;
}

function valueOf(name: string, given: unknown): JsonValue {
  const copy = copyJson(given);
  if (!copy.ok) throw fault(name, copy.problem);
  return copy.value;
}

function fault(path: string, message: string): InvalidRequestError {
  const one: RequestFault = { path, message: `${path} ${message}` };
  return InvalidRequestError.naming([one]);
}
