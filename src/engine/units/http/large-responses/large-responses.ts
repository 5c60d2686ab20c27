/** Most responses are no larger. They hold no share, never wait, and cost nothing here. */
export const SMALL_RESPONSE_BYTES = 64 * 1024;
const MAX_BYTES = 16 * 1024 * 1024;
/** The most that a connection brings before it can be paused; less counts as a trickle, not as progress. */
const STEP_BYTES = 64 * 1024;
/** How long others wait for a response that makes no progress. */
const PATIENCE_MS = 2_000;

/** The connection that a large response arrives over. */
export interface ResponseConnection {
  /** Called only while data arrives; nothing more arrives until `resume`. */
  pause(): void;
  resume(): void;
  /** The response keeps others waiting without progress: it must end. Its share has been released by then. */
  giveWay(): void;
}

/** Calls `callback` once, after `ms`. */
export type Schedule = (ms: number, callback: () => void) => void;

export interface LargeResponsesOptions {
  /** Default 16 MiB. */
  readonly maxBytes?: number;
  /** Default: a timer that keeps no process alive. */
  readonly schedule?: Schedule;
}

/**
 * Bounds the memory that the large responses of all units hold together (decision 0041).
 *
 * 1. Beyond the bound a response waits at its sender: no byte of it is lost, and no call fails.
 * 2. A complete response keeps its share until its outcome is stored, since until then it is in memory, several times over.
 *    While there is one and the bound is exceeded, all others wait for it.
 * 3. Where there is none, the oldest proceeds: together they hold at most one response more than the bound.
 * 4. A response that proceeds alone without progress gives way: it cannot keep the others out by what was sent at first.
 */
export class LargeResponses {
  /** The responses that are not complete, in the order in which they became large. */
  private readonly arriving = new Set<LargeResponse>();
  private readonly waiting = new Set<LargeResponse>();
  private readonly maxBytes: number;
  private readonly schedule: Schedule;
  private held = 0;
  private complete = 0;
  private isWatching = false;

  constructor(options: LargeResponsesOptions = {}) {
    this.maxBytes = options.maxBytes ?? MAX_BYTES;
    this.schedule = options.schedule ?? afterMs;
  }

  /** The bytes held now. */
  get heldBytes(): number {
    return this.held;
  }

  /** Whether a response waits. */
  get isFull(): boolean {
    return this.waiting.size > 0;
  }

  /** A response became large. */
  enter(connection: ResponseConnection): LargeResponse {
    const response = new LargeResponse(this, connection);
    this.arriving.add(response);
    return response;
  }

  /** Only for the response itself. */
  grown(response: LargeResponse, bytes: number): void {
    this.held += bytes;
    if (this.mayProceed(response, this.held)) return;
    this.waiting.add(response);
    response.connection.pause();
    this.watch();
  }

  /** Only for the response itself. */
  completed(response: LargeResponse): void {
    this.arriving.delete(response);
    this.waiting.delete(response);
    this.complete += 1;
  }

  /** Only for the response itself. */
  released(response: LargeResponse): void {
    if (!this.arriving.delete(response)) this.complete -= 1;
    this.waiting.delete(response);
    this.held -= response.bytes;
    this.resumeWhoMay();
  }

  private mayProceed(response: LargeResponse, held: number): boolean {
    return held <= this.maxBytes || (this.complete === 0 && response === this.oldest());
  }

  private oldest(): LargeResponse | undefined {
    for (const response of this.arriving) return response;
    return undefined;
  }

  private resumeWhoMay(): void {
    if (this.waiting.size === 0) return;
    let expected = this.held;
    for (const response of this.arriving) {
      if (!this.mayProceed(response, expected)) return;
      if (!this.waiting.delete(response)) continue;
      expected += STEP_BYTES;
      response.connection.resume();
    }
  }

  /** As long as responses wait, the one that they wait for is watched. */
  private watch(): void {
    if (this.isWatching) return;
    this.isWatching = true;
    const watched = this.oldest();
    const bytes = watched?.bytes ?? 0;
    this.schedule(PATIENCE_MS, () => {
      this.isWatching = false;
      if (this.waiting.size === 0) return;
      if (watched !== undefined && this.isStalled(watched, bytes)) watched.giveWay();
      if (this.waiting.size > 0) this.watch();
    });
  }

  private isStalled(response: LargeResponse, bytesBefore: number): boolean {
    const isAwaited = this.complete === 0 && response === this.oldest() && !this.waiting.has(response);
    return isAwaited && response.bytes - bytesBefore < STEP_BYTES;
  }
}

/** The share of one response, from when it became large. */
export class LargeResponse {
  private held = 0;
  private isOpen = true;

  constructor(
    private readonly all: LargeResponses,
    readonly connection: ResponseConnection,
  ) {}

  /** The bytes that it holds. */
  get bytes(): number {
    return this.held;
  }

  grow(bytes: number): void {
    if (!this.isOpen) return;
    this.held += bytes;
    this.all.grown(this, bytes);
  }

  /** The response is complete. Its share is kept until `release`. */
  complete(): void {
    if (this.isOpen) this.all.completed(this);
  }

  /** Its outcome is stored, or the response is dropped. Idempotent. */
  release(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.all.released(this);
  }

  giveWay(): void {
    this.release();
    this.connection.giveWay();
  }
}

function afterMs(ms: number, callback: () => void): void {
  setTimeout(callback, ms).unref();
}
