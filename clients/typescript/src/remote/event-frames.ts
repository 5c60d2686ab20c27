/** One frame of an event stream (HTML, "Server-sent events"). */
export interface Frame {
  /** Absent: as the frame before. */
  readonly id: string | undefined;
  /** `message` where the service names none. */
  readonly event: string;
  /** Null: nobody is notified of it, and only its id counts. */
  readonly data: string | null;
}

export interface FrameReading {
  /** How long to wait before a lost connection is taken up again, in ms. */
  readonly onRetry: (ms: number) => void;
}

/**
 * Reads event streams piece by piece: each piece is scanned once, wherever it was split. What has no end yet is kept, and
 * `pendingChars` says how much that is.
 */
export class FrameReader {
  readonly #reading: FrameReading;
  /** Of the line that has no end yet. */
  #parts: string[] = [];
  #partChars = 0;
  /** A line ended with CR at the end of the piece before: an LF that follows belongs to it. */
  #skipsLf = false;
  #data: string[] = [];
  #dataChars = 0;
  #event = '';
  #id: string | undefined;

  constructor(reading: FrameReading) {
    this.#reading = reading;
  }

  get pendingChars(): number {
    return this.#partChars + this.#dataChars;
  }

  /** The frames that end in this piece. */
  take(piece: string): readonly Frame[] {
    const frames: Frame[] = [];
    let from = this.#skipsLf && piece.startsWith('\n') ? 1 : 0;
    if (piece !== '') this.#skipsLf = false;
    const ends = /\r\n|\n|\r/g;
    ends.lastIndex = from;
    for (let end = ends.exec(piece); end !== null; end = ends.exec(piece)) {
      const line = this.#parts.join('') + piece.slice(from, end.index);
      from = ends.lastIndex;
      this.#skipsLf = end[0] === '\r' && from === piece.length;
      this.#parts = [];
      this.#partChars = 0;
      const frame = this.#line(line);
      if (frame !== null) frames.push(frame);
    }
    if (from < piece.length) {
      this.#parts.push(piece.slice(from));
      this.#partChars += piece.length - from;
    }
    return frames;
  }

  #line(line: string): Frame | null {
    if (line === '') return this.#ended();
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    switch (field) {
      case 'data':
        this.#data.push(value);
        this.#dataChars += value.length + 1;
        break;
      case 'event':
        this.#event = value;
        break;
      case 'id':
        if (!value.includes('\0')) this.#id = value;
        break;
      case 'retry':
        if (/^\d{1,9}$/.test(value)) this.#reading.onRetry(Number(value));
        break;
    }
    return null;
  }

  #ended(): Frame | null {
    const [id, event, lines] = [this.#id, this.#event, this.#data];
    this.#id = undefined;
    this.#event = '';
    this.#data = [];
    this.#dataChars = 0;
    if (id === undefined && lines.length === 0) return null;
    return {
      id,
      event: event === '' ? 'message' : event,
      data: lines.length === 0 ? null : lines.join('\n'),
    };
  }
}
