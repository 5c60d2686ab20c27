import { UsageError } from '../command-errors.js';
import { lengthIn } from '../terminal/age.js';

const LENGTHS = 'such as 90m, 1h or 7d';

/** Epoch ms, from a number, a date, or how long ago. Throws a `UsageError`. */
export function pastInstant(name: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : instantIn(name, text, { sign: -1, lengths: 'how long ago' });
}

/** Epoch ms, from a number, a date, or in how long. Throws a `UsageError`. */
export function comingInstant(name: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : instantIn(name, text, { sign: 1, lengths: 'in how long' });
}

/** Ms. Throws a `UsageError`. */
export function lengthOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = lengthIn(text);
  if (ms === null) throw new UsageError(`--${name} must be a length of time ${LENGTHS}.`);
  return ms;
}

function instantIn(
  name: string,
  text: string,
  { sign, lengths }: { readonly sign: 1 | -1; readonly lengths: string },
): number {
  const length = lengthIn(text);
  if (length !== null) return Date.now() + sign * length;
  const ms = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (!Number.isSafeInteger(ms))
    throw new UsageError(
      `--${name} must be a time such as 2026-11-01T00:00:00Z, epoch ms, or ${lengths}, ${LENGTHS}.`,
    );
  return ms;
}
