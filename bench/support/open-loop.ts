import { CLOCK, type Clock } from './clock.ts';

/** When it looks whether a request is due. A timer knows no less, and to look all the time would take a core. */
const LOOK_EVERY_MS = 1;
/** Requests under way, as seconds of the rate, at which it is clear that they only become more. */
const GIVE_UP_SECONDS = 10;

export interface Rate {
  readonly perSecond: number;
  readonly seconds: number;
}

/** The instants at which requests are due: as many as the rate says, evenly apart, whatever the answers take. */
export class Pace {
  readonly count: number;
  private readonly perSecond: number;
  private readonly startMs: number;
  private taken = 0;

  constructor({ perSecond, seconds }: Rate, startMs: number) {
    this.count = Math.round(perSecond * seconds);
    this.perSecond = perSecond;
    this.startMs = startMs;
  }

  /** Those that are due by now and were not taken before. One that comes late keeps its own instant. */
  take(nowMs: number): readonly number[] {
    const due: number[] = [];
    for (let next = this.next; this.taken < this.count && next <= nowMs; next = this.next) {
      due.push(next);
      this.taken += 1;
    }
    return due;
  }

  private get next(): number {
    return this.startMs + (this.taken * 1_000) / this.perSecond;
  }
}

/**
 * Sends at a fixed rate, whether answers come or not, and resolves with how long each answer took, in ms: from when its request
 * was due, not from when it was sent, so that a target which keeps requests waiting does not hide it. Fails when an answer
 * does, or when the target falls behind for good.
 */
export async function openLoop(
  send: () => Promise<void>,
  rate: Rate,
  clock: Clock = CLOCK,
): Promise<Float64Array> {
  const pace = new Pace(rate, clock.now());
  // Of its final size from the beginning: an array that grows stops the load while it is copied.
  const tookMs = new Float64Array(pace.count);
  const failures: unknown[] = [];
  let [sent, answered] = [0, 0];
  const ask = async (dueMs: number): Promise<void> => {
    try {
      await send();
      tookMs[answered++] = clock.now() - dueMs;
    } catch (error) {
      failures.push(error);
    }
  };
  while (answered < pace.count) {
    for (const dueMs of pace.take(clock.now())) {
      sent += 1;
      void ask(dueMs);
    }
    await clock.pause(LOOK_EVERY_MS);
    if (failures.length > 0) throw failures[0];
    if (sent - answered > rate.perSecond * GIVE_UP_SECONDS)
      throw new Error(`${sent - answered} requests wait at ${rate.perSecond} a second: choose a lower rate.`);
  }
  return tookMs;
}
