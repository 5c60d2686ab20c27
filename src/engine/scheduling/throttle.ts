import { sleep, type Clock } from '../ports/clock.js';
import type { Load } from './load.js';

/** The length of a slice: how long a follower works without a break while nothing else needs the time. */
const SLICE_MS = 50;
/** The break after a slice, in which the load is measured. */
const BREAK_MS = 5;
/** The break after the end of the log was reached, in which entries collect for one batch, where nothing else is said. */
const COLLECT_MS = 20;
/** Up to this load the process has time for everything. */
const EASY = 0.5;
/** At full load a break is this many times as long as the work before it: a twentieth of the time is the follower's. */
const BREAK_PER_WORK = 19;
/** The same for a follower that is overdue: half of the time. */
const BREAK_PER_OVERDUE_WORK = 1;
/** A follower that did not reach the end of the log for so long begins to take more, and is overdue after so long. */
const PATIENT_MS = 10_000;
const OVERDUE_MS = 30_000;
/** A batch that waited for a slow disk must not defer the next one for minutes. */
const LONGEST_BREAK_MS = 5_000;
/** A break checks this often whether the load is over. */
const LOOK_UP_MS = 100;
/** The share of a full batch that is read under load: what is read at once blocks the event loop that long. */
const LOADED_BATCH = 0.4;

/**
 * Gives way to load: a follower works at full speed while the process has little else to do, at full load takes a twentieth
 * of the time, and in between the less the greater the load is. The load is measured during the breaks, since the follower's
 * own work is not load.
 *
 * That is for a load that passes. In one that stays, the work takes as long as it waits for the processor, so that a twentieth is
 * next to nothing: whoever says how far it is (`reached`), and was not at the end for 30 s, takes up to half of the time.
 */
export class Throttle {
  private load = 0;
  private workedMs = 0;
  /** Since when it is behind; null: it was at the end when it said so last, or never does. */
  private behindSince: number | null = null;
  /** Whether it takes the break that the load requires, after that in which entries collect. */
  isResting = false;

  constructor(
    private readonly clock: Clock,
    private readonly meter: Load,
    private readonly batchEntries: number,
    private readonly collectMs = COLLECT_MS,
  ) {}

  /** How many entries to read at once. */
  get batch(): number {
    const givesWay = this.load > EASY && this.breakPerWork > BREAK_PER_OVERDUE_WORK;
    return givesWay ? Math.ceil(this.batchEntries * LOADED_BATCH) : this.batchEntries;
  }

  /** Whether to continue without a break. */
  get mayProceed(): boolean {
    return this.load <= EASY && this.workedMs < SLICE_MS;
  }

  /** Counts the time that the work takes. Waiting for the cursor to be stored is no work: leave it out. */
  async count<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = this.clock.now();
    const result = await work();
    this.workedMs += this.clock.now() - startedAt;
    return result;
  }

  /** Says whether the work so far went as far as the end of what there is. */
  reached(isAtEnd: boolean): void {
    if (isAtEnd) this.behindSince = null;
    else this.behindSince ??= this.clock.now();
  }

  /**
   * Takes the break that the load requires after the work that was counted; ends it early when the signal fires.
   * `collecting`: the break in which entries collect, at the end of the log.
   */
  async takeBreak(signal: AbortSignal, collecting: Collecting | null = null): Promise<void> {
    const { clock } = this;
    // The clock counts whole milliseconds, and all work takes some time.
    const workedMs = Math.max(1, this.workedMs);
    this.workedMs = 0;
    const begunAt = clock.now();
    let loadSince = this.meter.measure();
    await sleep(clock, collecting === null ? BREAK_MS : this.collectMs, collecting?.signal ?? signal);
    let takenMs = clock.now() - begunAt;
    if (takenMs < BREAK_MS) {
      // In so short a time the load cannot be told: the next break is for this work, too.
      this.workedMs = workedMs;
      return;
    }
    this.load = loadSince();
    let nextMs = this.breakMsAfter(workedMs) - takenMs;
    if (nextMs > 0) collecting?.restFollows();
    this.isResting = nextMs > 0;
    while (nextMs > 0 && !signal.aborted) {
      loadSince = this.meter.measure();
      nextMs = Math.min(LOOK_UP_MS, nextMs);
      await sleep(clock, nextMs, signal);
      this.load = loadSince();
      takenMs += nextMs;
      nextMs = this.breakMsAfter(workedMs) - takenMs;
    }
    this.isResting = false;
  }

  private breakMsAfter(workedMs: number): number {
    const share = Math.max(0, this.load - EASY) / (1 - EASY);
    return Math.min(LONGEST_BREAK_MS, share * this.breakPerWork * workedMs);
  }

  private get breakPerWork(): number {
    if (this.behindSince === null) return BREAK_PER_WORK;
    const impatientMs = this.clock.now() - this.behindSince - PATIENT_MS;
    const impatience = Math.min(1, Math.max(0, impatientMs / (OVERDUE_MS - PATIENT_MS)));
    return BREAK_PER_WORK - impatience * (BREAK_PER_WORK - BREAK_PER_OVERDUE_WORK);
  }
}

/** The break at the end of the log, in which entries collect for one batch. */
export interface Collecting {
  /** Fires where they must not collect any longer. */
  readonly signal: AbortSignal;
  /** Called when the load requires a break after it. */
  restFollows(): void;
}
