/**
 * Bounds how many unit executions are in flight in this process. What exceeds the bound waits its turn: it
 * is in the log already, so nothing is lost by waiting.
 */
export class Admission {
  private inFlight = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly capacity: number) {}

  /** Takes a place, or has `retry` called once a place is free. The same function waits only once. */
  tryEnter(retry: () => void): boolean {
    if (this.inFlight < this.capacity) {
      this.inFlight++;
      return true;
    }
    this.waiting.add(retry);
    return false;
  }

  leave(): void {
    this.inFlight--;
    // Whoever waited may have nothing to call any more: then the place is the next one's.
    for (const retry of this.waiting) {
      if (this.inFlight >= this.capacity) return;
      this.waiting.delete(retry);
      retry();
    }
  }
}
