import { signal, type ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { identityKey } from './service.js';

/** Something that is read of the service. What was read stays while it is read again. */
export interface Reading<T> {
  readonly value: T | undefined;
  readonly error: Error | undefined;
  readonly isReading: boolean;
  /** Reads it again. */
  again(): void;
}

/**
 * Reads while the component is there, and again whenever `key` or who is asking is another. `read` is given what ends it.
 */
export function useReading<T>(
  key: string,
  read: (signal: AbortSignal) => Promise<T>,
): ReadonlySignal<Reading<T>> {
  const who = identityKey.value;
  const reading = useMemo(
    () => new CurrentReading<T>(),
    // Of another key nothing stays.
    [key, who],
  );
  useEffect(() => {
    reading.begin(read);
    return () => reading.end();
  }, [reading]);
  return reading.state;
}

class CurrentReading<T> {
  readonly state = signal<Reading<T>>({
    value: undefined,
    error: undefined,
    isReading: true,
    again: () => undefined,
  });
  private aborter: AbortController | null = null;

  begin(read: (signal: AbortSignal) => Promise<T>): void {
    this.end();
    const aborter = new AbortController();
    this.aborter = aborter;
    const again = (): void => this.begin(read);
    this.state.value = { ...this.state.peek(), isReading: true, again };
    read(aborter.signal).then(
      (value) => this.set(aborter, { value, error: undefined, isReading: false, again }),
      (error: unknown) =>
        this.set(aborter, {
          value: this.state.peek().value,
          error: error instanceof Error ? error : new Error(String(error)),
          isReading: false,
          again,
        }),
    );
  }

  end(): void {
    this.aborter?.abort();
    this.aborter = null;
  }

  private set(aborter: AbortController, reading: Reading<T>): void {
    if (!aborter.signal.aborted) this.state.value = reading;
  }
}
