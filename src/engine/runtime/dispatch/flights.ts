import type { Flight } from './flight.js';

/**
 * Flights by their execution. Most runs have one at a time, which stands by itself: a map that becomes empty after each
 * costs more than a small unit does.
 */
export class Flights {
  private only: Flight | null = null;
  /** All of them, once there were several at a time. */
  private several: Map<number, Flight> | null = null;

  get size(): number {
    return this.several === null ? (this.only === null ? 0 : 1) : this.several.size;
  }

  get(executionId: number): Flight | undefined {
    if (this.several !== null) return this.several.get(executionId);
    return this.only?.executionId === executionId ? this.only : undefined;
  }

  /** In the place of another flight of the same execution, if there is one. */
  set(flight: Flight): void {
    const { only } = this;
    if (this.several !== null) this.several.set(flight.executionId, flight);
    else if (only === null || only.executionId === flight.executionId) this.only = flight;
    else {
      this.several = new Map([[only.executionId, only]]).set(flight.executionId, flight);
      this.only = null;
    }
  }

  delete(executionId: number): void {
    if (this.several !== null) this.several.delete(executionId);
    else if (this.only?.executionId === executionId) this.only = null;
  }

  /** As they are now: any of them may be deleted meanwhile. */
  all(): readonly Flight[] {
    if (this.several !== null) return [...this.several.values()];
    return this.only === null ? NONE : [this.only];
  }
}

const NONE: readonly Flight[] = [];
