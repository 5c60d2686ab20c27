/** Whoever wants to hear that keys or revocations changed. What is the same function twice is two who watch. */
export class AccessWatchers {
  private readonly watchers = new Set<{ readonly moved: () => void }>();

  /** Returns a function that ends it; calling that again does nothing. */
  add(moved: () => void): () => void {
    const watcher = { moved };
    this.watchers.add(watcher);
    return () => void this.watchers.delete(watcher);
  }

  notify(): void {
    for (const { moved } of this.watchers) moved();
  }
}
