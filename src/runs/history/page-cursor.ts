import { InvalidRequestError } from '../../errors/request-errors.js';

export type Paged = 'messages' | 'snapshots';

/** The `next` of a page: opaque to clients, and only valid for the page that follows. */
export function cursorOf(paged: Paged, afterSeq: number | null): string | null {
  return afterSeq === null ? null : encoded(`${paged} after ${afterSeq}`);
}

/** The seq that a cursor stands for, or null if it is not one of ours. */
export function seqOfCursor(paged: Paged, cursor: string): number | null {
  const [, digits] = /^[a-z]+ after (\d{1,15})$/.exec(decoded(cursor)) ?? [];
  const afterSeq = Number(digits);
  // Decoding accepts nearly anything; a cursor is ours if it encodes to the same text again.
  return digits !== undefined && cursorOf(paged, afterSeq) === cursor ? afterSeq : null;
}

/** Throws an `InvalidRequestError` for a cursor that is not ours. */
export function checkedCursor(paged: Paged, cursor: string): number {
  const afterSeq = seqOfCursor(paged, cursor);
  if (afterSeq !== null) return afterSeq;
  throw foreignCursor(paged);
}

/** As `cursorOf`, for a page of this run that is newest first. */
export function backwardCursorOf(paged: Paged, runId: string, beforeSeq: number | null): string | null {
  return beforeSeq === null ? null : encoded(`${paged} before ${beforeSeq} of ${runId}`);
}

/** As `seqOfCursor`, for a page that is newest first. */
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
