const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** 10 years of 365.25 days: the longest wait or time-out that the language knows. */
export const MAX_DURATION_MS = 315_576_000_000;

export type DurationResult =
  { readonly ok: true; readonly ms: number } | { readonly ok: false; readonly reason: string };

// Longer text is refused unread. Each part may have a fraction; ISO 8601 allows a comma for the point.
const MAX_LENGTH = 64;
const NUMBER = String.raw`(\d+(?:[.,]\d+)?)`;
const DURATION = new RegExp(
  `^P(?:${NUMBER}Y)?(?:${NUMBER}M)?(?:${NUMBER}W)?(?:${NUMBER}D)?(?:T(?=\\d)(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}S)?)?$`,
);
const EXAMPLES = 'write one such as `PT30S`, `PT1H30M`, `P2D` or `P1W`';

/**
 * An ISO 8601 duration of weeks, days, hours, minutes and seconds in whole milliseconds (rounded). A day has
 * 24 hours. Only the smallest part may have a fraction. Years and months are refused: their length varies.
 */
export function parseDuration(text: string): DurationResult {
  const match = text.length > MAX_LENGTH ? null : DURATION.exec(text);
  if (match === null) return refused(`\`${text.slice(0, MAX_LENGTH)}\` is no ISO 8601 duration: ${EXAMPLES}`);
  const [, years, months, ...fixed] = match;
  if (years !== undefined || months !== undefined) {
    return refused(
      `\`${text}\` has years or months, whose length varies: use weeks (\`P4W\`) or days (\`P30D\`)`,
    );
  }
  const given = fixed.filter((part) => part !== undefined);
  if (given.length === 0) return refused(`\`${text}\` is empty: ${EXAMPLES}`);
  if (given.slice(0, -1).some((part) => /[.,]/.test(part))) {
    return refused(`\`${text}\` has a fraction before its last part: only the smallest unit may have one`);
  }
  const [weeks, days, hours, minutes, seconds] = fixed.map(quantity);
  const ms = Math.round(
    (weeks ?? 0) * 7 * DAY_MS +
      (days ?? 0) * DAY_MS +
      (hours ?? 0) * HOUR_MS +
      (minutes ?? 0) * MINUTE_MS +
      (seconds ?? 0) * SECOND_MS,
  );
  if (ms > MAX_DURATION_MS) return refused(`\`${text}\` is longer than 10 years: use a shorter one`);
  return { ok: true, ms };
}

function quantity(part: string | undefined): number {
  return part === undefined ? 0 : Number(part.replace(',', '.'));
}

function refused(reason: string): DurationResult {
  return { ok: false, reason };
}
