import { hash } from 'node:crypto';
import type { UnitContext } from '../../ports/unit-executor.js';

/** The binding's headers and ours, which win whatever the case of the binding's. */
export function unitHeaders(
  binding: Readonly<Record<string, string>>,
  context: UnitContext,
  idempotencyKey: string,
): Readonly<Record<string, string>> {
  const ours: Readonly<Record<string, string>> = {
    'Content-Type': 'application/json',
    'Idempotency-Key': idempotencyKey,
    traceparent: traceparent(context),
    'X-Flowgate-Run-Id': context.runId,
    'X-Flowgate-Unit-Id': inAscii(context.unitId),
    'X-Flowgate-Attempt': String(context.attempt),
  };
  const taken = new Set(Object.keys(ours).map((name) => name.toLowerCase()));
  const theirs = Object.entries(binding).filter(([name]) => !taken.has(name.toLowerCase()));
  return { ...Object.fromEntries(theirs), ...ours };
}

/** Unit ids may have letters of any script, headers may not: those are percent-encoded, as UTF-8. */
function inAscii(unitId: string): string {
  return unitId.replaceAll(/[^\x20-\x7e]+/g, encodeURIComponent);
}

/** W3C trace context; the span is the attempt, so the same attempt after a crash is the same span. */
function traceparent({ traceId, executionId, attempt }: UnitContext): string {
  const span = hash('sha256', `${executionId}:${attempt}`, 'hex').slice(0, 16);
  return `00-${traceId}-${span}-01`;
}
