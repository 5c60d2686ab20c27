/**
 * What one replica registers, and what it starts from that, happens in the order of the calls, though by different connections: a
 * start that is requested after a registration sees it, and one that was requested before does not.
 */
export class RegistrationOrder {
  private readonly starts = new Set<Promise<unknown>>();
  /** Never rejects; null: nothing is being registered. */
  private registering: Promise<unknown> | null = null;

  /** A first append that requires a registration. */
  start<Result>(work: () => Promise<Result>): Promise<Result> {
    const started = this.registering === null ? work() : this.registering.then(work);
    this.starts.add(started);
    const end = (): void => void this.starts.delete(started);
    void started.then(end, end);
    return started;
  }

  register<Result>(work: () => Promise<Result>): Promise<Result> {
    const registered = Promise.allSettled([...this.starts, this.registering]).then(work);
    const over = registered.then(nothing, nothing);
    this.registering = over;
    void over.then(() => {
      if (this.registering === over) this.registering = null;
    });
    return registered;
  }

  /** Resolves when nothing of what was requested is left to do. Never rejects. */
  async settled(): Promise<void> {
    while (this.starts.size > 0 || this.registering !== null)
      await Promise.allSettled([...this.starts, this.registering]);
  }
}

function nothing(): void {}
