/** How the text of a variable becomes a setting. `read` returns undefined for a value that is not allowed. */
export interface Setting<T> {
  readonly variable: string;
  readonly fallback: T;
  /** Completes "NAME must be …". */
  readonly allowed: string;
  /** The value is never shown. */
  readonly isSecret: boolean;
  /** All that is allowed, where those are a few words. */
  readonly values?: readonly string[];
  read(text: string): T | undefined;
  /** What this value takes away from the service; null: nothing. Absent: no value does. */
  weakens?(value: T): string | null;
}

/** A setting that somebody may choose and should know about: the sentence says what is lost, and what to do about it. */
export function weakening<T>(setting: Setting<T>, weakens: (value: T) => string | null): Setting<T> {
  return { ...setting, weakens };
}

export function wholeNumber<T extends number | null>(
  variable: string,
  fallback: T,
  [least, most]: readonly [number, number],
): Setting<number | T> {
  const read = (given: string): number | undefined => {
    const value = /^\d{1,16}$/.test(given) ? Number(given) : NaN;
    return value >= least && value <= most ? value : undefined;
  };
  return { variable, fallback, allowed: `a whole number from ${least} to ${most}`, isSecret: false, read };
}

/** A share between 0 and 1, such as 0.25. */
export function share(variable: string, fallback: number): Setting<number> {
  const read = (given: string): number | undefined => {
    const value = /^(0|1|0?\.\d{1,16}|1\.0{1,16})$/.test(given) ? Number(given) : NaN;
    return value >= 0 && value <= 1 ? value : undefined;
  };
  return { variable, fallback, allowed: 'a number from 0 to 1', isSecret: false, read };
}

export function oneOf<T extends string>(variable: string, fallback: T, values: readonly T[]): Setting<T> {
  const read = (given: string): T | undefined => values.find((value) => value === given.toLowerCase());
  return { variable, fallback, allowed: `one of ${values.join(', ')}`, values, isSecret: false, read };
}

/** Any text of 1 to 4,096 characters without control characters that `pattern` accepts. */
export function text<T extends string | null>(
  variable: string,
  fallback: T,
  { allowed, pattern = /^/ }: { readonly allowed: string; readonly pattern?: RegExp },
): Setting<string | T> {
  const read = (given: string): string | undefined =>
    given.length <= 4_096 && !/\p{Cc}/u.test(given) && pattern.test(given) ? given : undefined;
  return { variable, fallback, allowed, isSecret: false, read };
}

/**
 * Items separated by commas; spaces around them do not count, nor, unless `isExact`, does case: they become lower case.
 */
export function list(
  variable: string,
  fallback: readonly string[],
  {
    allowed,
    pattern,
    isExact = false,
  }: { readonly allowed: string; readonly pattern: RegExp; readonly isExact?: boolean },
): Setting<readonly string[]> {
  const read = (given: string): readonly string[] | undefined => {
    const items = given.split(',').map((item) => (isExact ? item.trim() : item.trim().toLowerCase()));
    return items.every((item) => pattern.test(item)) ? [...new Set(items)] : undefined;
  };
  return { variable, fallback, allowed, isSecret: false, read };
}

export function flag(variable: string, fallback: boolean): Setting<boolean> {
  const read = (given: string): boolean | undefined =>
    ({ true: true, false: false })[given.toLowerCase() as 'true' | 'false'];
  return { variable, fallback, allowed: 'true or false', isSecret: false, read };
}

export function secret(
  variable: string,
  { allowed, pattern }: { readonly allowed: string; readonly pattern: RegExp },
): Setting<string | null> {
  return { ...text(variable, null, { allowed, pattern }), isSecret: true };
}
