import { Readable } from 'node:stream';
import { Slice } from '../../engine/scheduling/slice.js';
import type { Yielder } from '../../engine/scheduling/yielder.js';
import type { FrameText } from './frame-text.js';
import { FIRST_LINES, PING, textOf, type Frame } from './frames.js';
import type { OnTheWay } from './on-the-way.js';
import type { UnsentBytes, UnsentHolder } from './unsent-bytes.js';

export interface EventStreamOptions {
  /** The interval between pings, in ms. */
  readonly pingMs: number;
  /** A client that takes nothing for so long is disconnected, in ms. */
  readonly stalledMs: number;
}

/** What a stream shares with others, and the connection that it is sent over. */
export interface EventStreamParts {
  /** The unsent bytes of all streams. */
  readonly unsent: UnsentBytes;
  /** Decides which stream prepares its next write. */
  readonly yielder: Yielder;
  /** The bytes on their way to the client, in addition to those in the stream. */
  readonly onTheWay: OnTheWay;
}

/** Yields frames on demand, as many as are available. `signal` fires once no more are wanted. */
export type FrameSource = (signal: AbortSignal) => AsyncIterator<readonly Frame[], void, void>;

/** Beyond this the client must take something before more is sent. */
const MAX_BUFFERED_BYTES = 16_384;
/** How long a client that is sent away may take for the last frame. */
const LAST_FRAME_MS = 1_000;
/** The part of a shared text that one write holds. */
const SLICE_BYTES = 65_536;

/**
 * A response of server-sent events that is pulled, never pushed: the next frames are requested from the source when
 * the client has taken those before. What the stream holds counts towards a common bound until it is sent
 * (`UnsentBytes`), and a long frame is sent in slices. Once destroyed or ended, the stream keeps neither the source
 * nor a timer.
 */
export class EventStream extends Readable implements UnsentHolder {
  private readonly left = new AbortController();
  private readonly frames: AsyncIterator<readonly Frame[], void, void>;
  /** The frames that the source gave; those before `next` have been passed on. */
  private texts: FrameText[] = [];
  private next = 0;
  /** How many bytes of the next text have been passed on; a long text is finished before anything else is sent. */
  private given = 0;
  /** Long texts that have been passed on and may still be on their way; their bytes are held until they are sent. */
  private leaving: FrameText[] = [];
  private readonly pings: NodeJS.Timeout;
  private stalled: NodeJS.Timeout | null = null;
  private isWanted = false;
  private isAsking = false;
  /** Whether the bytes on their way must be taken first, even if the destination would accept more. */
  private isHeldUp = false;
  private readonly slice: Slice;

  constructor(
    source: FrameSource,
    private readonly options: EventStreamOptions,
    private readonly parts: EventStreamParts,
  ) {
    super({ highWaterMark: MAX_BUFFERED_BYTES });
    this.slice = new Slice(parts.yielder, { isOver: true });
    this.frames = source(this.left.signal);
    this.pings = setInterval(() => this.ping(), options.pingMs).unref();
    this.give(FIRST_LINES);
  }

  /** Ends the stream for this client: what was written is sent, and the connection ends. */
  end(): void {
    if (!this.destroyed && !this.readableEnded) this.finish();
  }

  /**
   * Ends the stream with a last frame, and soon: nothing more of what the source gave is sent, and a client that does not take the
   * rest at once is disconnected. In the middle of a frame nothing can follow, so the stream breaks off.
   */
  dismiss(last: string | null): void {
    if (this.destroyed || this.left.signal.aborted) return;
    if (this.given > 0) {
      this.destroy();
      return;
    }
    this.release();
    if (last !== null) this.push(last);
    this.push(null);
    this.awaitClient(LAST_FRAME_MS);
    this.once('close', () => this.stopAwaiting());
  }

  disconnectUnlessSent(): void {
    this.releaseSent();
    if (this.holdsSome) this.destroy();
  }

  override _read(): void {
    this.isWanted = true;
    if (!this.isHeldUp) this.stopAwaiting();
    if (!this.isAsking) void this.ask();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.release();
    callback(error);
  }

  private get holdsSome(): boolean {
    return this.hasTexts || this.leaving.length > 0;
  }

  private get hasTexts(): boolean {
    return this.next < this.texts.length;
  }

  private async ask(): Promise<void> {
    this.isAsking = true;
    try {
      while (this.isWanted && !this.left.signal.aborted) {
        if (this.slice.isOver) await this.slice.next();
        else if (this.parts.onTheWay.bytes >= MAX_BUFFERED_BYTES) await this.untilTaken();
        else if (this.hasTexts || (await this.askForMore())) this.sendSome();
      }
    } catch (error) {
      if (!this.left.signal.aborted) this.destroy(error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.isAsking = false;
    }
  }

  /** The destination would accept four times as much before it signals that it is full. */
  private async untilTaken(): Promise<void> {
    this.isHeldUp = true;
    this.awaitClient();
    await this.parts.onTheWay.taken();
    this.isHeldUp = false;
    if (!this.left.signal.aborted) this.stopAwaiting();
  }

  /**
   * False: there are no more frames, or none are wanted. Frames are held only as text, however long they take to be
   * sent.
   */
  private async askForMore(): Promise<boolean> {
    const next = await this.frames.next();
    if (this.left.signal.aborted) return false;
    if (next.done === true) {
      this.finish();
      return false;
    }
    for (const frame of next.value) {
      const given = textOf(frame);
      const text = given instanceof Promise ? await given : given;
      // A thousand streams may get frames at the same moment; a text that waits for its slice is not held yet.
      if (this.slice.isOver) await this.slice.next();
      this.hold(text);
    }
    return true;
  }

  private hold(text: FrameText): void {
    if (!this.left.signal.aborted) this.texts.push(this.parts.unsent.hold(text));
  }

  /** Passes on as much as one write should hold. */
  private sendSome(): void {
    const next = this.texts[this.next];
    if (next === undefined) return;
    if (typeof next.content === 'string') this.sendShort();
    else this.sendSlice(next, next.content);
    this.settle();
  }

  private sendShort(): void {
    const { unsent } = this.parts;
    const contents: string[] = [];
    let bytes = 0;
    while (bytes < MAX_BUFFERED_BYTES) {
      const text = this.texts[this.next];
      if (typeof text?.content !== 'string') break;
      contents.push(text.content);
      bytes += Buffer.byteLength(text.content);
      unsent.release(text);
      this.pass();
    }
    if (bytes > 0) this.give(bytesOf(contents, bytes));
  }

  private sendSlice(text: FrameText, bytes: Buffer): void {
    const slice = bytes.subarray(this.given, this.given + SLICE_BYTES);
    this.given += slice.length;
    if (this.given >= bytes.length) {
      this.pass();
      this.leaving.push(text);
      this.given = 0;
    }
    this.give(slice);
  }

  private pass(): void {
    this.next += 1;
    if (this.hasTexts) return;
    this.texts = [];
    this.next = 0;
  }

  /** A stream that has just sent something is the last to be disconnected for what it holds. */
  private settle(): void {
    this.releaseSent();
    const { unsent } = this.parts;
    if (!this.holdsSome) unsent.isEmpty(this);
    else if (!this.left.signal.aborted) unsent.isMoving(this);
  }

  private releaseSent(): void {
    if (this.leaving.length === 0 || this.readableLength > 0 || this.parts.onTheWay.bytes > 0) return;
    for (const text of this.leaving) this.parts.unsent.release(text);
    this.leaving = [];
  }

  private give(text: string | Buffer): void {
    this.isWanted = false;
    // More may be wanted before `push` returns.
    if (this.push(text)) this.isWanted = true;
    if (!this.isWanted) this.awaitClient();
  }

  /** The client must take something before more is sent. */
  private awaitClient(ms = this.options.stalledMs): void {
    this.stalled ??= setTimeout(() => this.destroy(), ms).unref();
  }

  private stopAwaiting(): void {
    if (this.stalled !== null) clearTimeout(this.stalled);
    this.stalled = null;
  }

  /** No ping is sent to clients that do not take what is there, nor in the middle of a frame. */
  private ping(): void {
    this.releaseSent();
    if (!this.holdsSome) this.parts.unsent.isEmpty(this);
    if (this.stalled === null && this.given === 0) this.give(PING);
  }

  private finish(): void {
    this.release();
    this.push(null);
    // The last bytes may never be taken either.
    this.awaitClient();
    this.once('close', () => this.stopAwaiting());
  }

  private release(): void {
    clearInterval(this.pings);
    this.stopAwaiting();
    for (const text of [...this.texts.slice(this.next), ...this.leaving]) this.parts.unsent.release(text);
    this.texts = [];
    this.next = 0;
    this.leaving = [];
    this.parts.unsent.isEmpty(this);
    if (this.left.signal.aborted) return;
    this.left.abort();
    // The source ends where it is, or at its next yield.
    this.frames.return?.().catch(() => undefined);
  }
}

/** A buffer of its own, because a slice of one of Node's pools would keep the whole pool until the client takes it. */
function bytesOf(contents: readonly string[], length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  let end = 0;
  for (const content of contents) end += bytes.write(content, end);
  return bytes;
}
