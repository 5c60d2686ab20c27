import type { Arrival } from './arrival.js';

/** Fields that people send, that nobody reads, and what to send in their place: by name, in lower case. */
export type UnreadWords = ReadonlyMap<string, string>;

/** More than this was not written by hand. */
const MAX_WARNINGS = 20;
/** Of so many fields of a body; one of a million would take long. */
const MAX_LOOKED_AT = 1_000;
const SHOWN_CHARACTERS = 100;
const PLAIN_NAME = /^[\w-]{1,100}$/;

/** Where a key of the same work belongs. */
const OF_EVERY_REQUEST: UnreadWords = unreadWords([
  [
    ['idempotencyKey', 'idempotency_key', 'idempotency-key', 'requestId'],
    'send it as the header Idempotency-Key',
  ],
]);

export function unreadWords(
  rows: readonly (readonly [names: readonly string[], advice: string])[],
): UnreadWords {
  return new Map(
    rows.flatMap(([names, advice]) => names.map((name) => [name.toLowerCase(), advice] as const)),
  );
}

interface Unread {
  /** The body as it came. */
  readonly given: unknown;
  readonly known: readonly string[];
  readonly words: UnreadWords;
  /** What is said of any other field that nobody reads; null: nothing (decision 0018). */
  readonly ofOthers?: string | null;
}

/**
 * Sentences about fields of a body that nobody reads and whose sender meant something by them (decision 0093). Of bodies
 * over HTTP alone: what a tool takes is in its schema, and what it answers is fixed.
 */
export function unreadFields(
  { given, known, words, ofOthers = null }: Unread,
  { via }: Pick<Arrival, 'via'>,
): readonly string[] {
  if (via !== 'http' || typeof given !== 'object' || given === null) return [];
  const warnings: string[] = [];
  for (const name of Object.keys(given).slice(0, MAX_LOOKED_AT)) {
    const value: unknown = (given as Record<string, unknown>)[name];
    if (known.includes(name) || value === null || value === undefined) continue;
    const word = name.toLowerCase();
    const advice = words.get(word) ?? OF_EVERY_REQUEST.get(word) ?? ofOthers;
    if (advice === null) continue;
    const shown = PLAIN_NAME.test(name) ? name : JSON.stringify(name.slice(0, SHOWN_CHARACTERS));
    warnings.push(`${shown} is not read: ${advice}`);
    if (warnings.length === MAX_WARNINGS) break;
  }
  return warnings;
}

/** The answer, with what is to be said beside it; the same one where nothing is. */
export function withWarnings<T extends object>(answer: T, warnings: readonly string[]): T {
  return warnings.length === 0 ? answer : { ...answer, warnings };
}
