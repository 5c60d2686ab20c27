/** The open streams: each ends by its own signal, or all of them at once. */
export class OpenStreams {
  private readonly open = new Set<AbortController>();
  private closed = false;

  get isClosed(): boolean {
    return this.closed;
  }

  get count(): number {
    return this.open.size;
  }

  /** `signal` fires when the stream has to end; the caller must call `release` at the end, however it ended. */
  add(given: AbortSignal | undefined): { readonly signal: AbortSignal; readonly release: () => void } {
    const controller = new AbortController();
    const end = (): void => controller.abort();
    const release = (): void => {
      given?.removeEventListener('abort', end);
      this.open.delete(controller);
      end();
    };
    if (this.closed || given?.aborted === true) end();
    else {
      given?.addEventListener('abort', end);
      this.open.add(controller);
    }
    return { signal: controller.signal, release };
  }

  close(): void {
    this.closed = true;
    for (const controller of this.open) controller.abort();
    this.open.clear();
  }
}
