import type { AttemptInFlight } from './attempt-in-flight.js';

/**
 * Attempts in flight by their execution. Most runs have one at a time, which needs no map: filling and emptying one each
 * time costs more than a small unit does.
 */
export class AttemptsInFlight {
  private only: AttemptInFlight | null = null;
  /** All attempts, once there were several at a time. */
  private several: Map<number, AttemptInFlight> | null = null;

  get size(): number {
    return this.several === null ? (this.only === null ? 0 : 1) : this.several.size;
  }

  get(executionId: number): AttemptInFlight | undefined {
    if (this.several !== null) return this.several.get(executionId);
    return this.only?.executionId === executionId ? this.only : undefined;
  }

  /** Replaces another attempt of the same execution, if there is one. */
  set(attempt: AttemptInFlight): void {
    const { only } = this;
    if (this.several !== null) this.several.set(attempt.executionId, attempt);
    else if (only === null || only.executionId === attempt.executionId) this.only = attempt;
    else {
      this.several = new Map([[only.executionId, only]]).set(attempt.executionId, attempt);
      this.only = null;
    }
  }

  delete(executionId: number): void {
    if (this.several !== null) this.several.delete(executionId);
    else if (this.only?.executionId === executionId) this.only = null;
  }

  /** A copy: attempts may be deleted while it is iterated. */
  all(): readonly AttemptInFlight[] {
    if (this.several !== null) return [...this.several.values()];
    return this.only === null ? NONE : [this.only];
  }
}

const NONE: readonly AttemptInFlight[] = [];
