import { finding, note, ok, type Check } from '../check.js';

/** What a server said of the time, and when it was asked and answered by our clock; epoch ms. */
export interface SaidTime {
  readonly askedAt: number;
  readonly answeredAt: number;
  /** The header `Date`; null: it said none. */
  readonly date: string | null;
}

/** Reminders, time-outs and tokens go by clocks: this much is not noticed. */
const MOST_MS = 5_000;
/** The header has whole seconds. */
const STEP_MS = 1_000;

/** How far our clock and the server's are apart. `said`: null if nobody answered. */
export function clockCheck(said: SaidTime | null): Check {
  const theirs = said === null ? NaN : Date.parse(said.date ?? '');
  if (said === null || Number.isNaN(theirs)) return note('clock', 'Not compared: no server said the time');
  const early = said.askedAt - (theirs + STEP_MS);
  const late = theirs - said.answeredAt;
  const apart = Math.max(early, late, 0);
  if (apart <= MOST_MS) return ok('clock', 'This machine and the server agree on the time');
  const seconds = Math.round(apart / 1_000);
  return finding(
    'clock',
    `The server's clock is ${seconds} s ${late > 0 ? 'ahead of' : 'behind'} this one.`,
    'Have both machines set their clocks by NTP (timedatectl set-ntp true).',
  );
}
