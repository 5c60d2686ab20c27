import { Readable } from 'node:stream';
import type { SharedTurns } from '../shared-turns.js';
import type { FrameText } from './frame-text.js';
import { FIRST_LINES, PING, textOf, type Frame } from './frames.js';
import type { OnTheWay } from './on-the-way.js';
import type { UnsentBytes, UnsentHolder } from './unsent-bytes.js';

export interface EventStreamOptions {
  /** Every so often a ping is sent, in ms. */
  readonly pingMs: number;
  /** Whoever takes nothing for so long is cut off, in ms. */
  readonly stalledMs: number;
}

/** What its stream is shared with and sent to. */
export interface EventStreamParts {
  /** Of all streams. */
  readonly unsent: UnsentBytes;
  /** Whose next write is made ready. */
  readonly turns: SharedTurns;
  /** To the client, beside what is in the stream. */
  readonly onTheWay: OnTheWay;
}

/** Frames as they are asked for, as many as there are at once. `signal` fires once nobody asks any more. */
export type FrameSource = (signal: AbortSignal) => AsyncIterator<readonly Frame[], void, void>;

/** Beyond this the client must take something before it is given more. */
const MAX_BUFFERED_BYTES = 16_384;
/** What a write holds of a text that all share. */
const SLICE_BYTES = 65_536;
/** How long a stream is worked on before others have their turn. */
const TURN_MS = 4;

/**
 * An answer of server-sent events that is pulled, never pushed: the next frame is asked of the source when the client has
 * taken those before it. What it holds is counted with what others hold, until it is sent (`UnsentBytes`), and a long frame
 * is sent slice by slice. Destroyed or at its end, nothing of it is left: neither the source nor a timer.
 */
export class EventStream extends Readable implements UnsentHolder {
  private readonly left = new AbortController();
  private readonly frames: AsyncIterator<readonly Frame[], void, void>;
  /** Those that were asked for; those before `next` are given. */
  private texts: FrameText[] = [];
  private next = 0;
  /** How much of the next is given; all of a long one is, or nothing else is sent. */
  private given = 0;
  /** Long ones that are given, and may still be on their way: until they are sent, their bytes are held. */
  private leaving: FrameText[] = [];
  private readonly pings: NodeJS.Timeout;
  private stalled: NodeJS.Timeout | null = null;
  private isWanted = false;
  private isAsking = false;
  /** What is on its way has to be taken first, however much whoever it is piped into would take. */
  private isHeldUp = false;
  private turnEnd = 0;

  constructor(
    source: FrameSource,
    private readonly options: EventStreamOptions,
    private readonly parts: EventStreamParts,
  ) {
    super({ highWaterMark: MAX_BUFFERED_BYTES });
    this.frames = source(this.left.signal);
    this.pings = setInterval(() => this.ping(), options.pingMs).unref();
    this.give(FIRST_LINES);
  }

  /** It is over for this client: what was written is sent, and the connection ends. */
  end(): void {
    if (!this.destroyed && !this.readableEnded) this.finish();
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
    this.letGo();
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
        if (this.isTurnOver) await this.nextTurn();
        else if (this.parts.onTheWay.bytes >= MAX_BUFFERED_BYTES) await this.untilTaken();
        else if (this.hasTexts || (await this.askForMore())) this.sendSome();
      }
    } catch (error) {
      if (!this.left.signal.aborted) this.destroy(error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.isAsking = false;
    }
  }

  /** Whoever it is piped into would take four times as much before it says that it is enough. */
  private async untilTaken(): Promise<void> {
    this.isHeldUp = true;
    this.awaitClient();
    await this.parts.onTheWay.taken();
    this.isHeldUp = false;
    if (!this.left.signal.aborted) this.stopAwaiting();
  }

  /** False: there is nothing more, or nobody wants it. What came is held as text alone, however long it takes to be sent. */
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
      // A thousand may be told something at the same moment; what waits for its turn is not held yet.
      if (this.isTurnOver) await this.nextTurn();
      this.hold(text);
    }
    return true;
  }

  private get isTurnOver(): boolean {
    return performance.now() >= this.turnEnd;
  }

  private async nextTurn(): Promise<void> {
    await new Promise<void>((resolve) => this.parts.turns.next(resolve));
    this.turnEnd = performance.now() + TURN_MS;
  }

  private hold(text: FrameText): void {
    if (!this.left.signal.aborted) this.texts.push(this.parts.unsent.hold(text));
  }

  /** As much as one write should hold. */
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

  /** Whoever has taken something is the last to be disconnected for what it holds. */
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
    // It may be asked for more while it is given.
    if (this.push(text)) this.isWanted = true;
    if (!this.isWanted) this.awaitClient();
  }

  /** It must take something before there is more. */
  private awaitClient(): void {
    this.stalled ??= setTimeout(() => this.destroy(), this.options.stalledMs).unref();
  }

  private stopAwaiting(): void {
    if (this.stalled !== null) clearTimeout(this.stalled);
    this.stalled = null;
  }

  /** None for those who do not take what is there, nor in the middle of a frame. */
  private ping(): void {
    this.releaseSent();
    if (!this.holdsSome) this.parts.unsent.isEmpty(this);
    if (this.stalled === null && this.given === 0) this.give(PING);
  }

  private finish(): void {
    this.letGo();
    this.push(null);
    // What was written last may never be taken either.
    this.awaitClient();
    this.once('close', () => this.stopAwaiting());
  }

  private letGo(): void {
    clearInterval(this.pings);
    this.stopAwaiting();
    for (const text of [...this.texts.slice(this.next), ...this.leaving]) this.parts.unsent.release(text);
    this.texts = [];
    this.next = 0;
    this.leaving = [];
    this.parts.unsent.isEmpty(this);
    if (this.left.signal.aborted) return;
    this.left.abort();
    // It ends where it stands, or as soon as it is asked no more.
    this.frames.return?.().catch(() => undefined);
  }
}

/** Bytes of their own: a part of one of Node's pools would hold all of that until the client takes it. */
function bytesOf(contents: readonly string[], length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  let end = 0;
  for (const content of contents) end += bytes.write(content, end);
  return bytes;
}
