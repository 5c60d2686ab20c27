import { InvalidRequestError } from '../errors/request-errors.js';

export type Paged = 'messages' | 'snapshots';

/** What `next` of a page is: opaque to its reader, and of no use for anything but the page that follows. */
export function cursorOf(paged: Paged, afterSeq: number | null): string | null {
  return afterSeq === null ? null : Buffer.from(`${paged} after ${afterSeq}`).toString('base64url');
}

/** The seq that a cursor stands for, or null where it is none of ours. */
export function seqOfCursor(paged: Paged, cursor: string): number | null {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, digits] = /^[a-z]+ after (\d{1,15})$/.exec(text) ?? [];
  const afterSeq = Number(digits);
  // Decoding takes nearly anything; ours is what encodes to the same again.
  return digits !== undefined && cursorOf(paged, afterSeq) === cursor ? afterSeq : null;
}

/** Throws an `InvalidRequestError` for one that is not ours. */
export function checkedCursor(paged: Paged, cursor: string): number {
  const afterSeq = seqOfCursor(paged, cursor);
  if (afterSeq !== null) return afterSeq;
  throw new InvalidRequestError(
    `cursor is none of these ${paged}: send \`next\` of the page before, or leave it out for the first page`,
  );
}
