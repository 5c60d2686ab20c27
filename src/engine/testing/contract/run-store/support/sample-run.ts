import type { RunEvent } from '../../../../core/log/event.js';
import type { AppendRequest, IdempotencyRecord, RunRow } from '../../../../ports/run-store.js';

/** An instant; samples count on from it in milliseconds. */
export const NOON = 1_790_000_000_000;

export function sampleRow(runId: string, changes: Partial<RunRow> = {}): RunRow {
  return {
    runId,
    workflowId: 'invoices',
    definitionHash: 'hash-1',
    status: 'running',
    createdAt: NOON,
    updatedAt: NOON,
    endedAt: null,
    openExecutions: 0,
    wakeAt: null,
    ...changes,
  };
}

/** Events `afterSeq + 1` to `afterSeq + count`, each with something that JSON must keep as it is. */
export function sampleEvents(afterSeq: number, count: number): readonly RunEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    v: 1,
    seq: afterSeq + index + 1,
    at: NOON + afterSeq + index,
    type: 'state-written',
    path: '/spec/flow/order/0',
    scope: '',
    unitId: 'note',
    values: { text: 'Grüße, "世界" \u2028 \u0000', number: 0.1, nothing: null, list: [1, { deep: true }] },
  }));
}

/** `count` events of a run; the first append when `expectedSeq` is 0 or not given. */
export function sampleAppend(
  runId: string,
  changes: Partial<AppendRequest> & { readonly count?: number } = {},
): AppendRequest {
  const { count = 2, expectedSeq = 0, ...others } = changes;
  return {
    runId,
    expectedSeq,
    events: sampleEvents(expectedSeq, count),
    row: sampleRow(runId),
    storedState: null,
    idempotency: [],
    ...others,
  };
}

export function sampleKey(runId: string, changes: Partial<IdempotencyRecord> = {}): IdempotencyRecord {
  return { scope: 'start:invoices', key: 'key-1', fingerprint: 'f', runId, ...changes };
}

/** The row of a run that ended at the instant. */
export function endedRow(runId: string, endedAt: number, changes: Partial<RunRow> = {}): RunRow {
  return sampleRow(runId, { status: 'completed', endedAt, updatedAt: endedAt, ...changes });
}
