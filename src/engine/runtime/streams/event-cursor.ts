/** The position of an event in the store's log: that of its append, and its own seq. */
export interface EventCursor {
  readonly position: number;
  readonly seq: number;
}

/** The id is opaque to clients. */
export function idOfCursor({ position, seq }: EventCursor): string {
  return Buffer.from(`${position}.${seq}`).toString('base64url');
}

/** Null for an id that this service did not make. */
export function cursorOfId(id: string): EventCursor | null {
  if (id.length > 64) return null;
  const [, position, seq] = /^(\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(id, 'base64url').toString()) ?? [];
  const cursor = { position: Number(position), seq: Number(seq) };
  // Decoding accepts nearly anything; a valid id is one that encodes to the same again.
  return position !== undefined && idOfCursor(cursor) === id ? cursor : null;
}
