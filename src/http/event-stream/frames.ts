/** One event as it goes over the wire. */
export interface Frame {
  /** What a client sends back that was cut off. Absent: as the one before. */
  readonly id?: string;
  readonly event?: string;
  /** Absent: nobody is told anything; the id alone counts. */
  readonly data?: unknown;
  /** Every frame about this object is the same: it is written once for all who are told. */
  readonly about?: object;
}

/** How long clients wait before they come again, in ms. */
const RETRY_MS = 2_000;

/** What every stream begins with: with it the head of the answer goes out. */
export const FIRST_LINES = `retry: ${RETRY_MS}\n\n`;
/** A line that nobody reads: whoever stands between sees that the connection is in use. */
export const PING = ': ping\n\n';

/** Of what is told to many at the same time, by what it is about. */
const texts = new WeakMap<object, string>();

/** JSON holds no line breaks, so the data is one line. */
export function textOf(frame: Frame): string {
  const { id, event, data, about } = frame;
  const known = about === undefined ? undefined : texts.get(about);
  if (known !== undefined) return known;
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(data === undefined ? [] : [`data: ${JSON.stringify(data)}`]),
  ];
  const text = `${lines.join('\n')}\n\n`;
  if (about !== undefined) texts.set(about, text);
  return text;
}
