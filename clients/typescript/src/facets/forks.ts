import type { Backend, RunAddress } from '../backend.js';
import { checkFlag, checkId, checkInput, checkKey, checkRun, checkSyncUntil } from '../calls/arguments.js';
import { checkedLabels } from '../calls/filters.js';
import { checkLimit } from '../calls/limits.js';
import { REQUESTS } from '../calls/request-bounds.js';
import type { ForkOptions, ForkPlace } from '../options/forks.js';

const DEFINITIONS: readonly string[] = REQUESTS.ForkRun.definition.enum;

/** Throws a `TypeError` for options that cannot be meant. */
export function forkRequest(
  { workflowId, runId }: RunAddress,
  options: ForkOptions,
): Parameters<Backend['fork']>[0] {
  checkRun(workflowId, runId);
  const {
    from,
    input,
    state,
    unitInput,
    definition,
    labels,
    sync = false,
    syncUntil,
    idempotencyKey,
  } = options;
  if (input !== undefined) checkInput(input);
  if (state !== undefined) checkInput(state, 'state');
  if (definition !== undefined && !DEFINITIONS.includes(definition)) {
    throw new TypeError(`definition must be ${DEFINITIONS.join(' or ')}`);
  }
  checkFlag('sync', sync);
  checkSyncUntil(syncUntil, sync);
  checkKey(idempotencyKey);
  return {
    workflowId,
    runId,
    from: checkedPlace(from),
    input,
    state,
    unitInput,
    definition,
    labels: checkedLabels(labels),
    sync,
    syncUntil,
    idempotencyKey,
  };
}

function checkedPlace(from: unknown): ForkPlace | undefined {
  if (from === undefined) return undefined;
  const { snapshotId, unitId, occurrence, ...others } = Object(from) as Readonly<Record<string, unknown>>;
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw new TypeError(`${other} is no field of from: it has snapshotId, or unitId and occurrence`);
  if ((snapshotId === undefined) === (unitId === undefined)) {
    throw new TypeError('from must be a checkpoint, { snapshotId }, or a unit, { unitId, occurrence }');
  }
  if (snapshotId !== undefined) {
    if (occurrence !== undefined) throw new TypeError('from.occurrence is of a unit, not of a checkpoint');
    checkId('from.snapshotId', snapshotId);
    return { snapshotId };
  }
  checkId('from.unitId', unitId);
  checkLimit(occurrence, 'from.occurrence');
  return occurrence === undefined ? { unitId } : { unitId, occurrence: occurrence as number };
}
