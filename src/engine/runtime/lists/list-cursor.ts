import { createHash } from 'node:crypto';
import { InvalidRequestError } from '../../../errors/request-errors.js';
import type { JsonValue } from '../../core/json.js';

/** Where a page ended: what its list is ordered by. */
export type CursorKey = readonly (string | number)[];

/** Which list of which filter a cursor is of: one of another would show a place that this one does not have. */
export interface CursorOf<Key extends CursorKey> {
  readonly list: string;
  readonly filter: JsonValue;
  /** What its key is made of. */
  readonly key: { readonly [Index in keyof Key]: Key[Index] extends number ? 'number' : 'string' };
}

const HASH_CHARS = 16;
/** Longer ones are none of ours: ids are at most 256 characters, each of them six bytes as JSON. */
const MAX_CHARS = 8_192;

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** Opaque to its reader, and of no use for anything but the page that follows. */
export function encodeCursor<Key extends CursorKey>(of: CursorOf<Key>, key: Key): string {
  return Buffer.from(JSON.stringify([hashOf(of), ...key])).toString('base64url');
}

/** Null: the first page is asked for. Throws an `InvalidRequestError` for a cursor that is not of this list and filter. */
export function decodeCursor<Key extends CursorKey>(
  of: CursorOf<Key>,
  cursor: string | undefined,
): Key | null {
  if (cursor === undefined) return null;
  const [hash, ...key] = partsOf(cursor);
  // Decoding takes nearly anything; ours is what encodes to the same again.
  const isOurs =
    hash === hashOf(of) &&
    key.length === of.key.length &&
    key.every((part, index) => isPart(part, of.key[index])) &&
    encodeCursor(of, key as unknown as Key) === cursor;
  if (isOurs) return key as unknown as Key;
  throw new InvalidRequestError(
    'cursor is not of this list: send `next` of the page before with the same filter, or leave it out for the first page',
  );
}

/** Throws an `InvalidRequestError` where it is out of bounds. */
export function checkedLimit(limit: number | undefined): number {
  if (limit === undefined) return DEFAULT_LIMIT;
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new InvalidRequestError(`limit must be a whole number from 1 to ${MAX_LIMIT}`);
}

function hashOf({ list, filter }: CursorOf<CursorKey>): string {
  return createHash('sha256')
    .update(JSON.stringify([list, filter]))
    .digest('base64url')
    .slice(0, HASH_CHARS);
}

function isPart(part: unknown, kind: 'number' | 'string' | undefined): boolean {
  return kind === 'number' ? Number.isSafeInteger(part) : typeof part === 'string';
}

function partsOf(cursor: string): readonly unknown[] {
  if (cursor.length > MAX_CHARS) return [];
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
