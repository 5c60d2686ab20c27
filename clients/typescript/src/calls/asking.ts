import type { Backend, Watching } from '../backend.js';
import { FlowgateUnreachableError } from '../errors/unreachable-error.js';
import type { CallOptions } from '../options.js';
import { checkOptions, type OptionsOf } from '../options/option-names.js';
import type { WatchBounds } from '../options/watches.js';
import { within } from './deadline.js';
import { leavable } from './leavable.js';
import { checkedTimeout } from './timeout.js';

const MAX_SILENCE_MS = 60_000;

type WatchName = 'watchRuns' | 'watchGates' | 'watchRun' | 'watchAll' | 'exportRun';
type CallName = Exclude<keyof OptionsOf, WatchName | 'waitForRun' | 'FlowgateClient' | 'retries'>;

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

  /** Throws a `TypeError` for an option that the call of that name does not have, and for bounds that are none. */
  call<Name extends CallName, T>(
    name: Name,
    options: OptionsOf[Name],
    ask: (backend: Backend, signal: AbortSignal) => Promise<T>,
    defaultMs = this.#timeoutMs,
  ): Promise<T> {
    checkOptions(name, options);
    const bounds: CallOptions = options;
    const timeoutMs = checkedTimeout(bounds.timeoutMs ?? defaultMs);
    const onTimeout = (): Error =>
      new FlowgateUnreachableError(this.backend.silence(timeoutMs), { code: 'TIMEOUT' });
    return within({ signal: bounds.signal, timeoutMs, onTimeout }, (signal) => ask(this.backend, signal));
  }

  /** A call whose answer waits until the run stops: no bound but the one that it names. */
  waitingCall<T>(
    name: 'startWorkflow' | 'fork',
    options: CallOptions & { readonly sync?: boolean | undefined },
    ask: (backend: Backend, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return this.call(name, options, ask, options.sync === true ? Infinity : this.#timeoutMs);
  }

  watch<Name extends WatchName, T>(
    name: Name,
    options: OptionsOf[Name],
    open: (backend: Backend, watching: Watching) => AsyncIterable<T>,
  ): AsyncIterableIterator<T> {
    checkOptions(name, options);
    const bounds: WatchBounds = options;
    const timeoutMs = checkedTimeout(bounds.timeoutMs ?? this.#timeoutMs);
    const maxSilenceMs = checkedTimeout(bounds.maxSilenceMs ?? MAX_SILENCE_MS, 'maxSilenceMs');
    return leavable(bounds.signal, (signal) => open(this.backend, { signal, timeoutMs, maxSilenceMs }));
  }
}
