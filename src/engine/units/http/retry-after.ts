/** The longest wait that a unit gets, whatever it asks for: a day. */
export const MAX_RETRY_AFTER_MS = 86_400_000;

const IMF_OR_RFC_850 = /^[A-Z][a-z]+, .* GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** Ms from `now` that a `Retry-After` header asks for, 0 to a day; null when there is none that can be read. */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  const value = (header ?? '').trim();
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, MAX_RETRY_AFTER_MS);
  const instant = parseHttpDate(value);
  return instant === null ? null : Math.min(Math.max(instant - now, 0), MAX_RETRY_AFTER_MS);
}

/** Epoch ms of the three forms of an HTTP date (RFC 9110, 5.6.7). */
function parseHttpDate(value: string): number | null {
  // `Date.parse` alone would take far more than HTTP's dates, and asctime's as local time.
  const text = IMF_OR_RFC_850.test(value) ? value : ASCTIME.test(value) ? `${value} GMT` : null;
  const instant = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(instant) ? null : instant;
}
