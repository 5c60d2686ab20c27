import type { RequestContext } from '../identity/request-context.js';

/** Fields that clients send although they are not read, and what to send instead, by name in lower case. */
export type UnreadWords = ReadonlyMap<string, string>;

/** More unread fields were not written by hand. */
const MAX_WARNINGS = 20;
/** The most fields of a body that are checked; a million would take long. */
const MAX_LOOKED_AT = 1_000;
const SHOWN_CHARACTERS = 100;
const PLAIN_NAME = /^[\w-]{1,100}$/;

/** Where an idempotency key belongs. */
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
  /** The advice about any other field that is not read; null: none (decision 0018). */
  readonly ofOthers?: string | null;
}

/**
 * Warnings about fields of a body that are not read although their sender meant something by them (decision 0093).
 * Only for bodies over HTTP: the arguments of a tool are in its schema, and its result is fixed.
 */
export function unreadFields(
  { given, known, words, ofOthers = null }: Unread,
  { via }: Pick<RequestContext, 'via'>,
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

/** The response with the warnings; the same object if there are none. */
export function withWarnings<T extends object>(response: T, warnings: readonly string[]): T {
  return warnings.length === 0 ? response : { ...response, warnings };
}
