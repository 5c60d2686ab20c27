import { FrameText } from './frame-text.js';

/** How much all streams of an instance may hold together that their clients have not taken. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;

/** A stream that holds something. */
export interface UnsentHolder {
  /** Releases what was sent in the meantime; if anything is left, the stream is disconnected, and releases all of it. */
  disconnectUnlessSent(): void;
}

/**
 * The bytes that all streams hold and have not sent.
 *
 * 1. A text counts once, however many streams hold it, and equal texts are one.
 * 2. Beyond the bound streams are disconnected until the limit is met: first those that have gone longest without
 *    taking anything. The last one to take something stays, so a single stream may hold more.
 */
export class UnsentBytes {
  private bytes = 0;
  /** The streams that hold something, with the number of their last move. */
  private readonly holders = new Map<UnsentHolder, number>();
  private moves = 0;
  /** The long texts that are held, by their hash. */
  private readonly held = new Map<string, FrameText>();

  constructor(private readonly most = MAX_UNSENT_BYTES) {}

  /** How many bytes are held. */
  get size(): number {
    return this.bytes;
  }

  /** Each `hold` is followed by one `release` of the text that it returns, which equals the given one. */
  hold(given: FrameText): FrameText {
    const text = typeof given.content === 'string' ? given : (this.held.get(given.hash) ?? given);
    if (text.holders === 0) {
      this.bytes += text.size;
      if (typeof text.content !== 'string') this.held.set(text.hash, text);
    }
    text.holders += 1;
    return text;
  }

  release(text: FrameText): void {
    text.holders -= 1;
    if (text.holders > 0) return;
    this.bytes -= text.size;
    if (typeof text.content !== 'string') this.held.delete(text.hash);
  }

  /** The stream has just sent something, and holds more. */
  isMoving(stream: UnsentHolder): void {
    this.moves += 1;
    this.holders.set(stream, this.moves);
    if (this.bytes <= this.most) return;
    const slowestFirst = [...this.holders].toSorted(([, a], [, b]) => a - b);
    for (const [slowest] of slowestFirst) {
      if (this.bytes <= this.most || slowest === stream) return;
      this.holders.delete(slowest);
      slowest.disconnectUnlessSent();
    }
  }

  /** The stream holds nothing. */
  isEmpty(stream: UnsentHolder): void {
    this.holders.delete(stream);
  }
}
