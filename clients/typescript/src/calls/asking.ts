import type { Backend, Watching } from '../backend.js';
import { FlowgateUnreachableError } from '../errors/unreachable-error.js';
import type { CallOptions } from '../options.js';
import type { WatchBounds } from '../options/watches.js';
import { within } from './deadline.js';
import { leavable } from './leavable.js';
import { checkedTimeout } from './timeout.js';

const MAX_SILENCE_MS = 60_000;

/** How the client asks its backend: under the bounds of the call, or else its own. */
export class Asking {
  readonly #timeoutMs: number;

  constructor(
    readonly backend: Backend,
    /** Of calls that name none. */
    timeoutMs: number,
  ) {
    this.#timeoutMs = checkedTimeout(timeoutMs);
  }

  call<T>(
    options: CallOptions,
    ask: (backend: Backend, signal: AbortSignal) => Promise<T>,
    defaultMs = this.#timeoutMs,
  ): Promise<T> {
    const timeoutMs = checkedTimeout(options.timeoutMs ?? defaultMs);
    const onTimeout = (): Error =>
      new FlowgateUnreachableError(this.backend.silence(timeoutMs), { code: 'TIMEOUT' });
    return within({ signal: options.signal, timeoutMs, onTimeout }, (signal) => ask(this.backend, signal));
  }

  /** A call whose answer waits until the run stops: no bound but the one that it names. */
  waitingCall<T>(
    options: CallOptions & { readonly sync?: boolean | undefined },
    ask: (backend: Backend, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return this.call(options, ask, options.sync === true ? Infinity : this.#timeoutMs);
  }

  watch<T>(
    options: WatchBounds,
    open: (backend: Backend, watching: Watching) => AsyncIterable<T>,
  ): AsyncIterableIterator<T> {
    const timeoutMs = checkedTimeout(options.timeoutMs ?? this.#timeoutMs);
    const maxSilenceMs = checkedTimeout(options.maxSilenceMs ?? MAX_SILENCE_MS, 'maxSilenceMs');
    return leavable(options.signal, (signal) => open(this.backend, { signal, timeoutMs, maxSilenceMs }));
  }
}
