/** One event as it goes over the wire. */
export interface Frame {
  /** What a client sends back that was cut off. Absent: as the one before. */
  readonly id?: string;
  readonly event?: string;
  /** Absent: nobody is told anything; the id alone counts. */
  readonly data?: unknown;
  /** The frame is the same for all who are told, and so is the object of its data: it is written once for all of them. */
  readonly isShared?: boolean;
}

/** How long clients wait before they come again, in ms. */
const RETRY_MS = 2_000;

/** What every stream begins with: with it the head of the answer goes out. */
export const FIRST_LINES = `retry: ${RETRY_MS}\n\n`;
/** A line that nobody reads: whoever stands between sees that the connection is in use. */
export const PING = ': ping\n\n';

/** Of what is told to many at the same time, by its data. */
const texts = new WeakMap<object, string>();

/** JSON holds no line breaks, so the data is one line. */
export function textOf(frame: Frame): string {
  const { id, event, data, isShared = false } = frame;
  const known = isShared ? texts.get(data as object) : undefined;
  if (known !== undefined) return known;
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(data === undefined ? [] : [`data: ${JSON.stringify(data)}`]),
  ];
  const text = `${lines.join('\n')}\n\n`;
  if (isShared) texts.set(data as object, text);
  return text;
}
