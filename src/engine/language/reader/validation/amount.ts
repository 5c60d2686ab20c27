const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** A number, and what it would be in milliseconds with the unit after it; without one, `ms` is null. */
interface Amount {
  readonly digits: string;
  readonly ms: number | null;
}

/** `30`, `30s`, `1.5 h`. Null: it is nothing of the kind. */
export function amountOf(text: string): Amount | null {
  const [, digits, unit] = /^([0-9]{1,9}(?:\.[0-9]{1,3})?) *(ms|s|m|min|h|d)?$/.exec(text) ?? [];
  if (digits === undefined) return null;
  return { digits, ms: unit === undefined ? null : Math.round(Number(digits) * (UNITS_MS[unit] ?? 1)) };
}

/** The milliseconds of a text with a unit. */
export function msOf(text: string): number | null {
  return amountOf(text)?.ms ?? null;
}
