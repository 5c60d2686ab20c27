/**
 * The id of an attempt's span: 16 hex digits that depend on the execution and the attempt alone, so that an attempt which
 * is called again after a crash is the same span; never all zeros, which W3C trace context forbids.
 *
 * A span has to be distinct within its trace (one run), not secret: two 32-bit hashes of the FNV-1a kind with different
 * primes do that for a third of what a SHA-256 costs.
 */
export function spanOf(executionId: string, attempt: number): string {
  let high = 0x811c9dc5;
  let low = 0x9e3779b9 ^ attempt;
  for (let index = 0; index < executionId.length; index += 1) {
    const unit = executionId.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x85ebca6b);
  }
  // The last characters and the attempt have reached few bits so far.
  high = scattered(high ^ Math.imul(attempt, 0xc2b2ae35));
  low = scattered(low + high);
  return high === 0 && low === 0 ? '0000000000000001' : hex(high) + hex(low);
}

/** Every bit of the input changes about half the bits of the output; no two inputs have the same output. */
function scattered(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}

const TWO_DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function hex(hash: number): string {
  const digits = (shift: number): string => TWO_DIGITS[(hash >>> shift) & 0xff] ?? '';
  return digits(24) + digits(16) + digits(8) + digits(0);
}

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;

/**
 * The trace of a run: its id without dashes. A host may give runs ids that are no UUID: those are hashed to 32 hex digits,
 * because readers of a `traceparent` drop one of any other form.
 */
export function traceOf(runId: string): string {
  const digits = runId.replaceAll('-', '');
  return TRACE_ID.test(digits) ? digits : spanOf(runId, -1) + spanOf(runId, -2);
}

/** The span of a whole run: what its attempts name as their parent before it is known how the run ends. */
export function spanOfRun(runId: string): string {
  return spanOf(runId, 0);
}
