import { jsonBytes } from '../long-answers/json-bytes.js';
import { isLongerThan } from '../long-answers/json-length.js';
import { FrameText } from './frame-text.js';

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

/** What would be longer is written in turns, into bytes that all share. */
const SHORT_CHARS = 16_384;

/** Of what is told to many at the same time, by what it is about. */
const texts = new WeakMap<object, FrameText | Promise<FrameText>>();

/** At once where it is short, as nearly all are. */
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
