import { GatheredText } from './gathered-text.js';

/** One event of a stream of events, its data not parsed yet. */
export interface EventFrame {
  readonly id: string | null;
  /** The event's kind; messages are events without one. */
  readonly event: string | null;
  /** Null: it has none, as an event that only names an id. */
  readonly data: string | null;
  /** After how many ms a client that lost the stream may ask for the remainder; null: not specified. */
  readonly retryMs: number | null;
}

/** Ids go back in a header. A longer one is ignored, and the stream cannot be resumed from there. */
const MAX_ID_CHARS = 1_024;
/** The longest that a timer can wait. */
const MAX_RETRY_MS = 2_147_483_647;

/** So many lines that end no frame are read before the reader may yield. */
const LINES_AT_ONCE = 256;

/** The end of a line, of which CR LF is one. */
const LINE_END = /\r\n|\n|\r/g;

/**
 * Splits a stream of server-sent events into frames. Each character is read once, in whatever pieces the stream arrives, and
 * what is no event (a comment, an unknown field, an incomplete event at the end) is dropped.
 */
export class EventFrames {
  /** The line whose end has not arrived yet. */
  readonly #line = new GatheredText();
  /** The last character was a CR: the LF of its pair may follow. */
  #endedByCr = false;
  #data: string[] = [];
  #id: string | null = null;
  #event: string | null = null;
  #retryMs: number | null = null;

  /**
   * Yields the frames that end in this piece of the stream and, now and then, null, where the reader may yield to the event
   * loop.
   */
  *feed(piece: string): Generator<EventFrame | null, void> {
    let start = this.#endedByCr && piece.startsWith('\n') ? 1 : 0;
    if (piece !== '') this.#endedByCr = piece.endsWith('\r');
    const endOfLine = piece.includes('\r') ? anyEnd : lineFeed;
    let lines = 0;
    for (let end = endOfLine(piece, start); end !== null; end = endOfLine(piece, start)) {
      const frame = this.#take(this.#lineWith(piece.slice(start, end.at)));
      start = end.after;
      lines += 1;
      if (frame !== null || lines % LINES_AT_ONCE === 0) yield frame;
    }
    if (start < piece.length) this.#line.add(piece.slice(start));
  }

  #lineWith(last: string): string {
    if (this.#line.pieces === 0) return last;
    this.#line.add(last);
    return this.#line.take();
  }

  #take(line: string): EventFrame | null {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line.charAt(colon + 1) === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value === '' ? null : value;
    else if (name === 'id' && value.length <= MAX_ID_CHARS && !value.includes('\0')) this.#id = value;
    else if (name === 'retry' && /^\d{1,10}$/.test(value))
      this.#retryMs = Math.min(Number(value), MAX_RETRY_MS);
    return null;
  }

  #dispatch(): EventFrame | null {
    const frame = {
      id: this.#id,
      event: this.#event,
      data: this.#data.length === 0 ? null : this.#data.join('\n'),
      retryMs: this.#retryMs,
    };
    this.#data = [];
    this.#id = null;
    this.#event = null;
    this.#retryMs = null;
    return frame.id === null && frame.data === null && frame.retryMs === null ? null : frame;
  }
}

interface LineEnd {
  readonly at: number;
  readonly after: number;
}

function lineFeed(piece: string, start: number): LineEnd | null {
  const at = piece.indexOf('\n', start);
  return at === -1 ? null : { at, after: at + 1 };
}

function anyEnd(piece: string, start: number): LineEnd | null {
  LINE_END.lastIndex = start;
  const found = LINE_END.exec(piece);
  return found === null ? null : { at: found.index, after: LINE_END.lastIndex };
}
