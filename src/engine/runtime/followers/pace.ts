import { sleep, type Clock } from '../../ports/clock.js';
import type { Load } from './load.js';

/** How long a follower works at a stretch while nobody else needs the time. */
const STRETCH_MS = 50;
/** The breath after a stretch, in which the load is measured. */
const BREATH_MS = 5;
/** The breath after the end of the log was reached, in which entries collect for one batch. */
const COLLECT_MS = 20;
const BUSY = 0.8;
/** Under load it rests this many times as long as it worked: a twentieth of the time is its own. */
const REST_PER_WORK = 19;
/** A batch that waited for a slow disk must not put the next one off for minutes. */
const LONGEST_REST_MS = 5_000;
/** A rest looks up this often, whether the load is over. */
const LOOK_UP_MS = 100;
/** Of a full batch, under load: what is read at once keeps the event loop that long. */
const BUSY_SHARE = 0.1;

/**
 * Gives way to load: a follower works at full speed while the process has nothing else to do, and takes a twentieth
 * of its time while it has. The load is measured while the follower rests, since its own work is not load.
 */
export class Pace {
  private isBusy = false;

  constructor(
    private readonly clock: Clock,
    private readonly load: Load,
    private readonly batchEntries: number,
  ) {}

  /** How many entries to read at once. */
  get batch(): number {
    return this.isBusy ? Math.ceil(this.batchEntries * BUSY_SHARE) : this.batchEntries;
  }

  /** Whether what began at `startedAt` may go on without a rest. */
  mayGoOn(startedAt: number): boolean {
    return !this.isBusy && this.clock.now() - startedAt < STRETCH_MS;
  }

  /** Rests as long as the load asks for after work that began at `startedAt`; not longer than the signal lets it. */
  async rest(startedAt: number, isAtEnd: boolean, signal: AbortSignal): Promise<void> {
    const workedMs = Math.max(1, this.clock.now() - startedAt);
    const longest = Math.min(LONGEST_REST_MS, REST_PER_WORK * workedMs);
    let restedMs = 0;
    let breathMs = isAtEnd ? COLLECT_MS : BREATH_MS;
    do {
      const share = this.load.measure();
      await sleep(this.clock, breathMs, signal);
      this.isBusy = share() > BUSY;
      restedMs += breathMs;
      breathMs = Math.min(LOOK_UP_MS, longest - restedMs);
    } while (this.isBusy && restedMs < longest && !signal.aborted);
  }
}
