import { jsonBytes } from '../long-responses/json-bytes.js';
import { isLongerThan } from '../long-responses/json-length.js';
import { FrameText } from './frame-text.js';

/** One event of a stream. */
export interface Frame {
  /** What a client sends back after it was disconnected. Absent: as in the frame before. */
  readonly id?: string;
  readonly event?: string;
  /** Absent: no event is dispatched, and only the id counts. */
  readonly data?: unknown;
  /** All frames about this object are equal, so the text is written once and shared. */
  readonly about?: object;
}

/** How long clients wait before they reconnect, in ms. */
const RETRY_MS = 2_000;

/** The beginning of every stream; with it the head of the response goes out. */
export const FIRST_LINES = `retry: ${RETRY_MS}\n\n`;
/** A comment line, which shows proxies that the connection is in use. */
export const PING = ': ping\n\n';

/** The last frame of a stream whose request would be refused now: its client comes back with another key or token. */
export const UNAUTHORIZED = 'event: end\ndata: {"status":"unauthorized"}\n\n';

/** Longer frames are written in slices, into bytes that all streams share. */
const SHORT_CHARS = 16_384;

/** The texts of frames that are sent to many at the same time, by their object. */
const texts = new WeakMap<object, FrameText | Promise<FrameText>>();

/** Without a promise for a short frame, as nearly all are. */
export function textOf(frame: Frame): FrameText | Promise<FrameText> {
  const { about } = frame;
  const known = about === undefined ? undefined : texts.get(about);
  if (known !== undefined) return known;
  const text = isLongerThan(frame.data, SHORT_CHARS) ? longText(frame) : new FrameText(shortText(frame));
  if (about !== undefined) remember(about, text);
  return text;
}

function remember(about: object, text: FrameText | Promise<FrameText>): void {
  texts.set(about, text);
  if (!(text instanceof Promise)) return;
  text.then(
    (written) => texts.set(about, written),
    () => texts.delete(about),
  );
}

function shortText(frame: Frame): string {
  const { data } = frame;
  return `${headOf(frame)}${data === undefined ? '' : `data: ${JSON.stringify(data)}\n`}\n`;
}

/** JSON holds no line breaks, so the data is one line. */
async function longText(frame: Frame): Promise<FrameText> {
  return new FrameText(await jsonBytes(frame.data, { before: `${headOf(frame)}data: `, after: '\n\n' }));
}

function headOf({ id, event }: Frame): string {
  return `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`;
}
