import type { AppendRequest, IdempotencyRecord, StoredEvent } from '../../../../ports/store/append.js';
import type { StoredDefinition } from '../../../../ports/store/definition-store.js';
import type { RunRow } from '../../../../ports/store/run-row.js';

/** An instant; samples count on from it in milliseconds. */
export const NOON = 1_790_000_000_000;

/** A UUIDv7; a greater index sorts later. `shard` is its last byte. */
export function sampleRunId(index: number, shard = index % 256): string {
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
  return `01a0c3c5-7c00-7000-8000-${hex(index, 10)}${hex(shard, 2)}`;
}

/** The row after a first append of two events. */
export function sampleRow(runId: string, changes: Partial<RunRow> = {}): RunRow {
  return {
    runId,
    namespace: 'default',
    workflowId: 'invoices',
    definitionHash: 'hash-1',
    status: 'running',
    createdAt: NOON,
    updatedAt: NOON,
    endedAt: null,
    openExecutions: 0,
    wakeAt: null,
    lastSeq: 2,
    parentRunId: null,
    origin: 'client',
    forkedFrom: null,
    isCancelled: false,
    figures: { tokens: 0, cost: 0, activeMs: 0, activeSince: NOON },
    compensation: null,
    ...changes,
  };
}

/** Events `afterSeq + 1` to `afterSeq + count`, each with something that JSON must keep as it is. */
export function sampleEvents(afterSeq: number, count: number): readonly StoredEvent[] {
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

/** `count` events of a run; the first append when `expectedSeq` is 0 or not given. The row's `lastSeq` follows them. */
export function sampleAppend(
  runId: string,
  changes: Partial<AppendRequest> & { readonly count?: number } = {},
): AppendRequest {
  const { count = 2, expectedSeq = 0, row, ...others } = changes;
  const events = changes.events ?? sampleEvents(expectedSeq, count);
  return {
    runId,
    expectedSeq,
    storedState: null,
    idempotency: [],
    labels: null,
    openGates: null,
    decidedGates: null,
    startedFrom: null,
    concernsFamily: false,
    ...others,
    events,
    row: { ...(row ?? sampleRow(runId)), lastSeq: expectedSeq + events.length },
  };
}

export function sampleKey(runId: string, changes: Partial<IdempotencyRecord> = {}): IdempotencyRecord {
  return { scope: 'start:invoices', key: 'key-1', fingerprint: 'f', runId, ...changes };
}

/** The row of a run that ended at the instant. */
export function endedRow(runId: string, endedAt: number, changes: Partial<RunRow> = {}): RunRow {
  return sampleRow(runId, { status: 'completed', endedAt, updatedAt: endedAt, ...changes });
}

export function sampleDefinition(changes: Partial<StoredDefinition> = {}): StoredDefinition {
  return {
    namespace: 'default',
    hash: 'hash-1',
    workflowId: 'invoices',
    yaml: 'kind: Workflow # ü\n',
    bindings: { 'acme.pay': { type: 'http', endpoint: 'http://127.0.0.1:1/pay', headers: { a: 'b' } } },
    plan: '{"revision":1}',
    registeredAt: NOON,
    ...changes,
  };
}
