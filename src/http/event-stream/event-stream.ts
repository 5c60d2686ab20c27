import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { FIRST_LINES, PING, textOf, type Frame } from './frames.js';

export interface EventStreamOptions {
  /** Every so often a ping is sent, in ms. */
  readonly pingMs: number;
  /** Whoever takes nothing for so long is cut off, in ms. */
  readonly stalledMs: number;
}

/** Frames as they are asked for, as many as there are at once. `signal` fires once nobody asks any more. */
export type FrameSource = (signal: AbortSignal) => AsyncIterator<readonly Frame[], void, void>;

/** Beyond this the client must take something before it is given more. */
const MAX_BUFFERED_BYTES = 16_384;
/** How long a stream is worked on before others have their turn. */
const TURN_MS = 4;

/**
 * An answer of server-sent events that is pulled, never pushed: the next frame is asked of the source when the client has
 * taken those before it. Destroyed or at its end, nothing of it is left: neither the source nor a timer.
 */
export class EventStream extends Readable {
  private readonly left = new AbortController();
  private readonly frames: AsyncIterator<readonly Frame[], void, void>;
  /** Those that were asked for and are not sent yet. */
  private unsent: readonly Frame[] = [];
  private readonly pings: NodeJS.Timeout;
  private stalled: NodeJS.Timeout | null = null;
  private isWanted = false;
  private isAsking = false;

  constructor(
    source: FrameSource,
    private readonly options: EventStreamOptions,
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

  override _read(): void {
    this.isWanted = true;
    if (this.stalled !== null) clearTimeout(this.stalled);
    this.stalled = null;
    if (!this.isAsking) void this.ask();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.letGo();
    callback(error);
  }

  private async ask(): Promise<void> {
    this.isAsking = true;
    let turnEnd = performance.now() + TURN_MS;
    try {
      while (this.isWanted && !this.left.signal.aborted) {
        if (this.unsent.length === 0) {
          const next = await this.frames.next();
          if (this.left.signal.aborted) return;
          if (next.done === true) return this.finish();
          this.unsent = next.value;
        }
        this.sendSome();
        if (performance.now() < turnEnd) continue;
        await setImmediate();
        turnEnd = performance.now() + TURN_MS;
      }
    } catch (error) {
      if (!this.left.signal.aborted) this.destroy(error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.isAsking = false;
    }
  }

  /** As many as one write should hold. */
  private sendSome(): void {
    let text = '';
    let count = 0;
    for (const frame of this.unsent) {
      text += textOf(frame);
      count += 1;
      if (text.length >= MAX_BUFFERED_BYTES) break;
    }
    this.unsent = this.unsent.slice(count);
    if (text !== '') this.give(text);
  }

  private give(text: string): void {
    this.isWanted = false;
    // It may be asked for more while it is given.
    if (this.push(text)) this.isWanted = true;
    if (!this.isWanted) this.stalled ??= setTimeout(() => this.destroy(), this.options.stalledMs).unref();
  }

  /** None for those who do not take what is there. */
  private ping(): void {
    if (this.stalled === null) this.give(PING);
  }

  private finish(): void {
    this.letGo();
    this.push(null);
    // What was written last may never be taken either.
    this.stalled = setTimeout(() => this.destroy(), this.options.stalledMs).unref();
    this.once('close', () => clearTimeout(this.stalled ?? undefined));
  }

  private letGo(): void {
    clearInterval(this.pings);
    if (this.stalled !== null) clearTimeout(this.stalled);
    this.stalled = null;
    this.unsent = [];
    if (this.left.signal.aborted) return;
    this.left.abort();
    // It ends where it stands, or as soon as it is asked no more.
    this.frames.return?.().catch(() => undefined);
  }
}
