import { sleep, type Clock } from '../../ports/clock.js';
import type { Load } from './load.js';

/** How long a follower works at a stretch while nobody else needs the time. */
const STRETCH_MS = 50;
/** The breath after a stretch, in which the load is measured. */
const BREATH_MS = 5;
/** The breath after the end of the log was reached, in which entries collect for one batch. */
const COLLECT_MS = 20;
/** Up to this load there is enough for everybody. */
const EASY = 0.5;
/** At full load it rests this many times as long as it worked: a twentieth of the time is its own. */
const REST_PER_WORK = 19;
/** A batch that waited for a slow disk must not put the next one off for minutes. */
const LONGEST_REST_MS = 5_000;
/** A rest looks up this often, whether the load is over. */
const LOOK_UP_MS = 100;
/** Of a full batch, under load: what is read at once keeps the event loop that long. */
const LOADED_BATCH = 0.4;

/**
 * Gives way to load: a follower works at full speed while the process has little else to do, at full load takes a
 * twentieth of the time, and in between the less the greater the load is. The load is measured while the follower
 * rests, since its own work is not load.
 */
export class Pace {
  private load = 0;
  private workedMs = 0;

  constructor(
    private readonly clock: Clock,
    private readonly meter: Load,
    private readonly batchEntries: number,
  ) {}

  /** How many entries to read at once. */
  get batch(): number {
    return this.load > EASY ? Math.ceil(this.batchEntries * LOADED_BATCH) : this.batchEntries;
  }

  /** Whether to go on without a rest. */
  get mayGoOn(): boolean {
    return this.load <= EASY && this.workedMs < STRETCH_MS;
  }

  /** Counts what the work took. Waiting for the cursor to be stored is no work: leave it out. */
  async count<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = this.clock.now();
    const result = await work();
    this.workedMs += this.clock.now() - startedAt;
    return result;
  }

  /** Rests as long as the load asks for after what was counted; not longer than the signal lets it. */
  async rest(isAtEnd: boolean, signal: AbortSignal): Promise<void> {
    // The clock counts whole milliseconds, and nothing takes no time.
    const workedMs = Math.max(1, this.workedMs);
    this.workedMs = 0;
    let restedMs = 0;
    let breathMs = isAtEnd ? COLLECT_MS : BREATH_MS;
    do {
      const loadSince = this.meter.measure();
      await sleep(this.clock, breathMs, signal);
      this.load = loadSince();
      restedMs += breathMs;
      breathMs = Math.min(LOOK_UP_MS, restMs(this.load, workedMs) - restedMs);
    } while (breathMs > 0 && !signal.aborted);
  }
}

function restMs(load: number, workedMs: number): number {
  const share = Math.max(0, load - EASY) / (1 - EASY);
  return Math.min(LONGEST_REST_MS, share * REST_PER_WORK * workedMs);
}
