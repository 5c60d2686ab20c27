/** Why a watch ends that nobody wants any more; nobody sees it. */
const LEFT = new Error('The watch was left');

/**
 * What `open` gives, for one loop. Leaving it releases everything at once, also while the next value is waited for; when
 * `outer` fires it rejects with the signal's reason. Nothing is opened before the first value is requested.
 */
export function leavable<T>(
  outer: AbortSignal | undefined,
  open: (signal: AbortSignal) => AsyncIterable<T>,
): AsyncIterableIterator<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const values = untilLeft(outer, controller, open);
  return {
    next: () => values.next(),
    return(value?: unknown) {
      // A generator takes it only between two values: what it waits for has to end first.
      controller.abort(LEFT);
      return values.return(value as undefined);
    },
    throw(error?: unknown) {
      controller.abort(LEFT);
      return values.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };

  async function* untilLeft(
    from: AbortSignal | undefined,
    to: AbortController,
    opened: typeof open,
  ): AsyncGenerator<T, undefined> {
    from?.throwIfAborted();
    const onAbort = (): void => to.abort(from?.reason);
    from?.addEventListener('abort', onAbort, { once: true });
    try {
      for await (const value of opened(signal)) {
        if (signal.aborted) break;
        yield value;
      }
      if (signal.aborted) throw signal.reason;
    } catch (error) {
      if (!signal.aborted) throw error;
      if (signal.reason !== LEFT) throw signal.reason;
    } finally {
      from?.removeEventListener('abort', onAbort);
    }
    return undefined;
  }
}
