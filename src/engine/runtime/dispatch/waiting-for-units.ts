import type { EngineLogger } from '../logger.js';

/** Runs whose pinned unit is not registered in this process: they wait, and say so. */
export class WaitingForUnits {
  private readonly runs = new Map<string, Set<string>>();
  private readonly unrecovered = new Set<string>();

  constructor(private readonly logger: EngineLogger) {}

  add(uses: string, runId: string): void {
    const waiting = this.runs.get(uses) ?? new Set<string>();
    this.runs.set(uses, waiting);
    if (waiting.has(runId)) return;
    waiting.add(runId);
    this.logger.warn(`A run waits for the unit ${uses}: register it and the run goes on`, { runId, uses });
  }

  /**
   * The run was found in flight at the start, but this process cannot call its units yet: it counts as recovered
   * once it can, so that starts without the unit do not use up its recoveries.
   */
  putOffRecovery(uses: readonly string[], runId: string): void {
    this.unrecovered.add(runId);
    for (const name of uses) this.add(name, runId);
  }

  /** Whether the run's recovery was put off; then it is no longer. */
  takeRecovery(runId: string): boolean {
    return this.unrecovered.delete(runId);
  }

  /** The runs that can go on now. */
  take(uses: string): readonly string[] {
    const waiting = [...(this.runs.get(uses) ?? [])];
    this.runs.delete(uses);
    return waiting;
  }
}
