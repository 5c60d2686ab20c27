import { InvalidRequestError } from '../errors/request-errors.js';

export type Paged = 'messages' | 'snapshots';

/** What `next` of a page is: opaque to its reader, and of no use for anything but the page that follows. */
export function cursorOf(paged: Paged, afterSeq: number | null): string | null {
  return afterSeq === null ? null : encoded(`${paged} after ${afterSeq}`);
}

/** The seq that a cursor stands for, or null where it is none of ours. */
export function seqOfCursor(paged: Paged, cursor: string): number | null {
  const [, digits] = /^[a-z]+ after (\d{1,15})$/.exec(decoded(cursor)) ?? [];
  const afterSeq = Number(digits);
  // Decoding takes nearly anything; ours is what encodes to the same again.
  return digits !== undefined && cursorOf(paged, afterSeq) === cursor ? afterSeq : null;
}

/** Throws an `InvalidRequestError` for one that is not ours. */
export function checkedCursor(paged: Paged, cursor: string): number {
  const afterSeq = seqOfCursor(paged, cursor);
  if (afterSeq !== null) return afterSeq;
  throw foreignCursor(paged);
}

/** As `cursorOf`, of a page that is newest first, and of this run. */
export function backwardCursorOf(paged: Paged, runId: string, beforeSeq: number | null): string | null {
  return beforeSeq === null ? null : encoded(`${paged} before ${beforeSeq} of ${runId}`);
}

/** As `seqOfCursor`, of a page that is newest first. */
export function seqOfBackwardCursor(paged: Paged, runId: string, cursor: string): number | null {
  const [, digits] = /^[a-z]+ before (\d{1,15}) of /.exec(decoded(cursor)) ?? [];
  const beforeSeq = Number(digits);
  return digits !== undefined && backwardCursorOf(paged, runId, beforeSeq) === cursor ? beforeSeq : null;
}

function foreignCursor(paged: Paged): InvalidRequestError {
  return new InvalidRequestError(
    `cursor is none of these ${paged}: send \`next\` of the page before, or leave it out for the first page`,
  );
}

function encoded(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function decoded(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString();
}
