import type { CancelTimer, Clock } from '../../ports/clock.js';
import type { RunDriver } from '../../ports/run-driver.js';

/** Wakes the runs of this process from its own clock. */
export class LocalDriver implements RunDriver {
  private readonly alarms = new Map<string, CancelTimer>();
  private onWake: (runId: string) => void = () => undefined;

  constructor(private readonly clock: Clock) {}

  start(onWake: (runId: string) => void): void {
    this.onWake = onWake;
  }

  wake({ runId, at }: { readonly runId: string; readonly at: number | null }): void {
    this.alarms.get(runId)?.();
    if (at === null) {
      this.alarms.delete(runId);
      return;
    }
    const cancel = this.clock.schedule(at, () => {
      this.alarms.delete(runId);
      this.onWake(runId);
    });
    this.alarms.set(runId, cancel);
  }

  async stop(): Promise<void> {
    for (const cancel of this.alarms.values()) cancel();
    this.alarms.clear();
  }
}
