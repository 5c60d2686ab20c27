/** Where an event stands in the store's log: the append that it is of, and its own seq. */
export interface EventPlace {
  readonly position: number;
  readonly seq: number;
}

/** Opaque to those who send it back. */
export function idOfPlace({ position, seq }: EventPlace): string {
  return Buffer.from(`${position}.${seq}`).toString('base64url');
}

/** Null for what is none of ours. */
export function placeOfId(id: string): EventPlace | null {
  if (id.length > 64) return null;
  const [, position, seq] = /^(\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(id, 'base64url').toString()) ?? [];
  const place = { position: Number(position), seq: Number(seq) };
  // Decoding takes nearly anything; ours is what encodes to the same again.
  return position !== undefined && idOfPlace(place) === id ? place : null;
}
