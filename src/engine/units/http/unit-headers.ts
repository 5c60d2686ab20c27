import { spanOf } from '../../core/ids/span-id.js';
import type { CallContext, ExecuteOptions } from '../../ports/unit-executor.js';

const IDEMPOTENCY_KEY = 'Idempotency-Key';
const TRACEPARENT = 'traceparent';
const RUN_ID = 'X-Flowgate-Run-Id';
const UNIT_ID = 'X-Flowgate-Unit-Id';
const ATTEMPT = 'X-Flowgate-Attempt';

const JSON_BODY = { 'Content-Type': 'application/json' };

/** What identifies a call, to the endpoint and to tracing. */
export type CallNames = Pick<ExecuteOptions, 'idempotencyKey' | 'traceparent'>;

/** Headers, in lower case, that we set ourselves, whatever the binding says. */
const OURS: ReadonlySet<string> = new Set(
  [...Object.keys(JSON_BODY), IDEMPOTENCY_KEY, TRACEPARENT, RUN_ID, UNIT_ID, ATTEMPT].map((name) =>
    name.toLowerCase(),
  ),
);

/**
 * The headers that every call under a binding sends: the binding's, except those that ours replace, and the content type.
 */
export function constantHeaders(binding: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const theirs = Object.entries(binding).filter(([name]) => !OURS.has(name.toLowerCase()));
  return { ...Object.fromEntries(theirs), ...JSON_BODY };
}

/** What one call adds: name, value, name, value. */
export function callHeaders(
  context: CallContext,
  { idempotencyKey, traceparent = ownTraceparent(context) }: CallNames,
): readonly string[] {
  const { runId, unitId, attempt } = context;
  return [
    IDEMPOTENCY_KEY,
    idempotencyKey,
    TRACEPARENT,
    traceparent,
    RUN_ID,
    runId,
    UNIT_ID,
    inAscii(unitId),
    ATTEMPT,
    String(attempt),
  ];
}

const BEYOND_ASCII = /[^\x20-\x7e]/;

/** Unit ids may have letters of any script, headers may not: those are percent-encoded, as UTF-8. */
function inAscii(unitId: string): string {
  return BEYOND_ASCII.test(unitId) ? unitId.replaceAll(/[^\x20-\x7e]+/g, encodeURIComponent) : unitId;
}

/** W3C trace context where nothing traces; the span is the attempt, so the same attempt after a crash is the same span. */
function ownTraceparent({ traceId, executionId, attempt }: CallContext): string {
  return `00-${traceId}-${spanOf(executionId, attempt)}-01`;
}
