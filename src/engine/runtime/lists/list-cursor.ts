import { createHash } from 'node:crypto';
import { InvalidRequestError } from '../../../errors/request-errors.js';
import type { JsonValue } from '../../core/json.js';
import { LIST_PAGE } from '../../request-limits.js';

/** The values by which its list is ordered, of the item at which a page ended. */
export type CursorKey = readonly (string | number)[];

/** The list and filter that a cursor belongs to: one of another list would point to an item that this one does not have. */
export interface CursorOf<Key extends CursorKey> {
  readonly list: string;
  readonly filter: JsonValue;
  /** The types of the key's parts. */
  readonly key: { readonly [Index in keyof Key]: Key[Index] extends number ? 'number' : 'string' };
}

const HASH_CHARS = 16;
/** A longer cursor cannot be valid: ids are at most 256 characters, each of them six bytes as JSON. */
const MAX_CHARS = 8_192;

/** The cursor is opaque to clients, and of no use for anything but the page that follows. */
export function encodeCursor<Key extends CursorKey>(of: CursorOf<Key>, key: Key): string {
  return Buffer.from(JSON.stringify([hashOf(of), ...key])).toString('base64url');
}

/** Null: the first page is requested. Throws an `InvalidRequestError` for a cursor that is not of this list and filter. */
export function decodeCursor<Key extends CursorKey>(
  of: CursorOf<Key>,
  cursor: string | undefined,
): Key | null {
  if (cursor === undefined) return null;
  const [hash, ...key] = partsOf(cursor);
  // Decoding accepts nearly anything; a valid cursor is one that encodes to the same again.
  const isValid =
    hash === hashOf(of) &&
    key.length === of.key.length &&
    key.every((part, index) => isPart(part, of.key[index])) &&
    encodeCursor(of, key as unknown as Key) === cursor;
  if (isValid) return key as unknown as Key;
  throw new InvalidRequestError(
    'cursor is not of this list: send `next` of the page before with the same filter, or leave it out for the first page',
  );
}

/** Throws an `InvalidRequestError` where it is out of bounds. */
export function checkedLimit(limit: number | undefined): number {
  const { least, most, usual } = LIST_PAGE;
  if (limit === undefined) return usual;
  if (Number.isInteger(limit) && limit >= least && limit <= most) return limit;
  throw new InvalidRequestError(`limit must be a whole number from ${least} to ${most}`);
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
