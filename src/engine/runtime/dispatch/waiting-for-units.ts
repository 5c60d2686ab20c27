import type { EngineLogger } from '../../ports/logger.js';

/** Runs whose pinned unit is not registered in this process: they wait, and this is logged. */
export class WaitingForUnits {
  private readonly runs = new Map<string, Set<string>>();

  /** `waits`: called with each run that waits, whenever that is found. */
  constructor(
    private readonly logger: EngineLogger,
    private readonly waits: (runId: string) => void = () => undefined,
  ) {}

  add(uses: string, runId: string): void {
    const waiting = this.runs.get(uses) ?? new Set<string>();
    this.runs.set(uses, waiting);
    const isKnown = waiting.has(runId);
    waiting.add(runId);
    this.waits(runId);
    if (isKnown) return;
    this.logger.warn(`A run waits for the unit ${uses}: register it and the run goes on`, { runId, uses });
  }

  has(runId: string): boolean {
    for (const waiting of this.runs.values()) if (waiting.has(runId)) return true;
    return false;
  }

  /** Removes and returns the runs that can continue now. */
  take(uses: string): readonly string[] {
    const waiting = [...(this.runs.get(uses) ?? [])];
    this.runs.delete(uses);
    return waiting;
  }
}
