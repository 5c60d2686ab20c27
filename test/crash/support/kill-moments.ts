import { setTimeout as delay } from 'node:timers/promises';
import type { Choices } from './choices.js';
import type { ServiceProcess } from './service-process.js';

type UnitMoment = 'arrived' | 'answered';

/** One process more than a unit may kill before its run pauses. */
const BURST_LIVES = 4;
const LONGEST_WORK_MS = 400;
const LONGEST_START_MS = 500;
/** The longest wait for a unit's moment, which does not come when every run waits for a person. */
const UNIT_MOMENT_WITHIN_MS = 1_000;

/**
 * When to kill: at any time of the work, while it starts, or right when a unit is called or has responded. Now
 * and then several processes die at their first call, as if a unit killed them: such runs pause.
 */
export class KillMoments {
  private waiting: { readonly moment: UnitMoment; calls: number; readonly now: () => void } | null = null;

  private burst = 0;

  constructor(private readonly choices: Choices) {}

  /** To be called when a unit was called, or has responded. */
  passed(moment: UnitMoment): void {
    if (this.waiting?.moment !== moment) return;
    this.waiting.calls -= 1;
    if (this.waiting.calls <= 0) this.waiting.now();
  }

  /** Resolves when the time has come. */
  async next(life: ServiceProcess): Promise<void> {
    if (this.burst > 0 || this.choices.happens(0.05)) return this.firstCall();
    if (this.choices.happens(0.15)) return delay(this.choices.between(0, LONGEST_START_MS));
    await life.listening;
    if (this.choices.happens(0.5)) return delay(this.choices.between(0, LONGEST_WORK_MS));
    await this.unitMoment(this.choices.oneOf(['arrived', 'answered']), this.choices.between(1, 40));
  }

  private firstCall(): Promise<void> {
    this.burst = (this.burst === 0 ? BURST_LIVES : this.burst) - 1;
    return this.unitMoment('arrived', 1);
  }

  private async unitMoment(moment: UnitMoment, calls: number): Promise<void> {
    const moments = new Promise<void>((now) => (this.waiting = { moment, calls, now }));
    await Promise.race([moments, delay(UNIT_MOMENT_WITHIN_MS)]);
    this.waiting = null;
  }
}
