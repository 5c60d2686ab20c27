/** Most answers. They hold no share, wait for nobody, and cost nothing here. */
export const SMALL_ANSWER_BYTES = 64 * 1024;
const MAX_BYTES = 16 * 1024 * 1024;
/** What a connection brings at most before it can be told to wait; less is no progress either, but a trickle. */
const STEP_BYTES = 64 * 1024;
/** How long others wait for one that brings nothing. */
const PATIENCE_MS = 2_000;

/** The connection that a large answer comes over. */
export interface Arrival {
  /** Asked only while it brings something; it brings nothing more until `resume`. */
  pause(): void;
  resume(): void;
  /** It keeps others waiting and brings nothing: it must end. Its share is released by then. */
  giveWay(): void;
}

/** Calls `callback` once, after `ms`. */
export type Schedule = (ms: number, callback: () => void) => void;

export interface LargeAnswersOptions {
  /** Default 16 MiB. */
  readonly maxBytes?: number;
  /** Default: a timer that keeps no process alive. */
  readonly schedule?: Schedule;
}

/**
 * A bound on what the large answers of all units hold together (decision 0041).
 *
 * 1. Beyond it an answer waits where it is, at its sender: no byte of it is lost, and no call fails.
 * 2. A complete answer keeps its share until what followed from it is stored, since until then it is in memory, several
 *    times over. While there is one beyond the bound, all others wait for it.
 * 3. Where there is none, the oldest goes on: together they hold one answer more than the bound, at most.
 * 4. Who goes on alone and brings nothing gives way: nobody keeps the others out by what was sent at first.
 */
export class LargeAnswers {
  /** Those that are not complete, in the order in which they became large. */
  private readonly arriving = new Set<LargeAnswer>();
  private readonly waiting = new Set<LargeAnswer>();
  private readonly maxBytes: number;
  private readonly schedule: Schedule;
  private held = 0;
  private complete = 0;
  private isWatching = false;

  constructor(options: LargeAnswersOptions = {}) {
    this.maxBytes = options.maxBytes ?? MAX_BYTES;
    this.schedule = options.schedule ?? afterMs;
  }

  /** What is held now, in bytes. */
  get heldBytes(): number {
    return this.held;
  }

  /** Whether somebody waits. */
  get isFull(): boolean {
    return this.waiting.size > 0;
  }

  /** The answer became large. */
  enter(arrival: Arrival): LargeAnswer {
    const answer = new LargeAnswer(this, arrival);
    this.arriving.add(answer);
    return answer;
  }

  /** For the answer alone. */
  grown(answer: LargeAnswer, bytes: number): void {
    this.held += bytes;
    if (this.mayGoOn(answer, this.held)) return;
    this.waiting.add(answer);
    answer.arrival.pause();
    this.watch();
  }

  /** For the answer alone. */
  completed(answer: LargeAnswer): void {
    this.arriving.delete(answer);
    this.waiting.delete(answer);
    this.complete += 1;
  }

  /** For the answer alone. */
  released(answer: LargeAnswer): void {
    if (!this.arriving.delete(answer)) this.complete -= 1;
    this.waiting.delete(answer);
    this.held -= answer.bytes;
    this.resumeWhoMay();
  }

  private mayGoOn(answer: LargeAnswer, held: number): boolean {
    return held <= this.maxBytes || (this.complete === 0 && answer === this.oldest());
  }

  private oldest(): LargeAnswer | undefined {
    for (const answer of this.arriving) return answer;
    return undefined;
  }

  private resumeWhoMay(): void {
    if (this.waiting.size === 0) return;
    let expected = this.held;
    for (const answer of this.arriving) {
      if (!this.mayGoOn(answer, expected)) return;
      if (!this.waiting.delete(answer)) continue;
      expected += STEP_BYTES;
      answer.arrival.resume();
    }
  }

  /** As long as somebody waits, the one that they wait for is looked at. */
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

  private isStalled(answer: LargeAnswer, bytesBefore: number): boolean {
    const isAwaited = this.complete === 0 && answer === this.oldest() && !this.waiting.has(answer);
    return isAwaited && answer.bytes - bytesBefore < STEP_BYTES;
  }
}

/** The share of one answer, from when it became large. */
export class LargeAnswer {
  private held = 0;
  private isOpen = true;

  constructor(
    private readonly all: LargeAnswers,
    readonly arrival: Arrival,
  ) {}

  /** What it holds. */
  get bytes(): number {
    return this.held;
  }

  grow(bytes: number): void {
    if (!this.isOpen) return;
    this.held += bytes;
    this.all.grown(this, bytes);
  }

  /** All of it is here. Its share is kept until `release`. */
  complete(): void {
    if (this.isOpen) this.all.completed(this);
  }

  /** What followed from it is stored, or it is dropped. More than once is as good as once. */
  release(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.all.released(this);
  }

  giveWay(): void {
    this.release();
    this.arrival.giveWay();
  }
}

function afterMs(ms: number, callback: () => void): void {
  setTimeout(callback, ms).unref();
}
