import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Tally } from './tally.js';

const BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const NS_PER_S = 1_000_000_000;
const RESOLUTION_MS = 20;
/** A timer that is on time is measured as late as its interval is long. */
const ON_TIME_NS = RESOLUTION_MS * 1_000_000;

type IntervalHistogram = ReturnType<typeof monitorEventLoopDelay>;
/** The parts of Node's histogram that are read. */
type Measured = Pick<IntervalHistogram, 'count' | 'percentiles'>;

/**
 * How late timers were since the start. Node measures outside of the event loop's own code, and keeps percentiles
 * since their last reset; here they become counts that only grow, so that several scrapers do not interfere.
 */
export class LoopDelay {
  /** Delays in seconds. */
  private readonly tally = new Tally(BOUNDS_S);
  private monitor: IntervalHistogram | null = null;

  start(): void {
    if (this.monitor !== null) return;
    this.monitor = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    this.monitor.enable();
  }

  stop(): void {
    this.monitor?.disable();
    this.monitor = null;
  }

  read(): Tally {
    if (this.monitor !== null && this.monitor.count > 0) {
      addTo(this.tally, this.monitor);
      this.monitor.reset();
    }
    return this.tally;
  }
}

/** Adds as many values as were measured; those between two percentiles count as the greater of them. */
export function addTo(tally: Tally, { count, percentiles }: Measured): void {
  let counted = 0;
  for (const [percentile, valueNs] of percentiles) {
    const upTo = Math.round((percentile / 100) * count);
    if (upTo <= counted) continue;
    tally.observe(Math.max(0, valueNs - ON_TIME_NS) / NS_PER_S, upTo - counted);
    counted = upTo;
  }
}
