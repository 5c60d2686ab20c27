const DAY_MS = 86_400_000;
export const WEEK_MS = 7 * DAY_MS;
/** 1970-01-05, the first Monday of the epoch. */
const A_MONDAY_MS = 4 * DAY_MS;
/** By ISO 8601 a week is of the year that its Thursday is in. */
const THURSDAY_MS = 3 * DAY_MS;

const INSTANT_HEX_DIGITS = 12;
const LATEST_INSTANT = 2 ** 48 - 1;
const GREATEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const NAME = /^(\d{4})w(\d{2})$/;

/** A week, from Monday to Monday, UTC. The first 48 bits of a UUIDv7 are an instant: its run is of that week, for ever. */
export interface Week {
  /** `2026w48`, as in the names of its partitions. */
  readonly name: string;
  /** Epoch ms. */
  readonly startMs: number;
  /** Epoch ms, exclusive. */
  readonly endMs: number;
  /** No id of the week is less. */
  readonly fromId: string;
  /** Every id of the week is less. */
  readonly toId: string;
}

export function weekAt(ms: number): Week {
  const startMs = A_MONDAY_MS + Math.floor((ms - A_MONDAY_MS) / WEEK_MS) * WEEK_MS;
  const endMs = startMs + WEEK_MS;
  return { name: nameOf(startMs), startMs, endMs, fromId: leastIdAt(startMs), toId: leastIdAt(endMs) };
}

/** The week of an id in lower case; also of one that is no UUIDv7, since a partition takes whatever is between its bounds. */
export function weekOfId(runId: string): Week {
  return weekAt(Number.parseInt(runId.replaceAll('-', '').slice(0, INSTANT_HEX_DIGITS), 16));
}

/** That one and those after it. */
export function weeksFrom(ms: number, count: number): readonly Week[] {
  return Array.from({ length: count }, (_, index) => weekAt(ms + index * WEEK_MS));
}

/** Null: no week has that name. */
export function weekNamed(name: string): Week | null {
  const [, year, number] = NAME.exec(name) ?? [];
  if (year === undefined || number === undefined) return null;
  // The 4th of January is always in the first week of its year.
  const first = weekAt(Date.UTC(Number(year), 0, 4));
  const week = weekAt(first.startMs + (Number(number) - 1) * WEEK_MS);
  return week.name === name ? week : null;
}

function nameOf(startMs: number): string {
  const thursdayMs = startMs + THURSDAY_MS;
  const year = new Date(thursdayMs).getUTCFullYear();
  const number = 1 + Math.floor((thursdayMs - Date.UTC(year, 0, 1)) / WEEK_MS);
  return `${year}w${String(number).padStart(2, '0')}`;
}

function leastIdAt(ms: number): string {
  if (ms > LATEST_INSTANT) return GREATEST_ID;
  const hex = Math.max(ms, 0).toString(16).padStart(INSTANT_HEX_DIGITS, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
