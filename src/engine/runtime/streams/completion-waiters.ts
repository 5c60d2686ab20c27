import type { RunState } from '../../core/state/state.js';
import { statusOf } from '../../core/state/status.js';
import { StoreError } from '../../../errors/service-errors.js';
import { sleep, type CancelTimer, type Clock } from '../../ports/clock.js';
import type { RunIndex } from '../../ports/store/run-index.js';
import type { RunLog } from '../../ports/store/run-log.js';
import type { RunWatch } from '../../ports/run-watch.js';
import type { RunRecord } from '../../run-record.js';
import type { SyncUntil } from '../../vocabulary.js';
import { runsBelowWithGates } from '../reading/stored-children.js';
import type { RunInMemory } from '../run-shell.js';
import { LogCursor, type CursorLog } from '../log-cursor.js';
import type { RunReader } from '../reading/run-reader.js';

/** How long a store that could not be read is left alone. */
const LOOK_AGAIN_MS = 1_000;

/** How long a request waits for its run to stop; the run continues whenever that ends. */
export interface Waiting {
  /** The longest wait, in ms; the result is then the record as it is. Default: as the request says. */
  readonly waitMs?: number | undefined;
  /** Ends the waiting early, with the same result. Default: nothing does. */
  readonly signal?: AbortSignal | undefined;
}

interface Listener {
  readonly until: SyncUntil;
  /** Called with the run when it stopped, or is at a gate; null: watch the store from now on, or give up. */
  readonly tell: (run: RunInMemory | null) => void;
  /** Called when the run waits for a unit that is not registered: who waits without a bound gets one. */
  readonly lacksUnit: () => void;
}

export interface CompletionWaitersOptions {
  readonly store: Pick<RunLog, 'readRow'> &
    Pick<RunIndex, 'listOpenGates' | 'listChildren' | 'listRunsBelowWithGates'>;
  readonly watch: RunWatch;
  readonly clock: Clock;
  readonly reader: RunReader;
  readonly owns: (runId: string) => boolean;
  /** Whether the run waits for a unit that is not registered in this process. */
  readonly awaitsUnit: (runId: string) => boolean;
  /** How long such a run is waited for where the request sets no bound, in ms: nobody knows whether it will ever move. */
  readonly unitWaitMs: number;
}

/**
 * The requests that wait until a run is paused, completed or failed, or has an open gate. An owned run notifies them itself,
 * while it is still in memory; for a foreign run they depend on the watch and the store.
 */
export class CompletionWaiters {
  /** The lists are never changed in place: one can be gone through whatever is added or removed in the meantime. */
  private readonly listeners = new Map<string, readonly Listener[]>();
  private readonly closing = new AbortController();

  constructor(private readonly options: CompletionWaitersOptions) {}

  /** How many runs of this process are waited for. */
  get waitedFor(): number {
    return this.listeners.size;
  }

  /** Those runs that notify who waits for them by themselves, as they are owned. */
  waitedRuns(): Iterable<string> {
    return this.listeners.keys();
  }

  /** Called after every durable change; costs nothing for a run that nobody waits for. */
  changed(run: RunInMemory): void {
    if (this.listeners.size === 0) return;
    const waiting = this.listeners.get(run.runId);
    if (waiting === undefined) return;
    if (statusOf(run.durable) !== 'running') return this.tell(run, () => true);
    if (run.durable.forPeople === 0 || !waiting.some(isForGate)) return;
    if (hasOpenGate(run.durable)) return this.tell(run, isForGate);
    // A child waits for people: for a decision, if it or one below it has a gate.
    void this.hasGateBelow(run.runId).then(
      (has) => has && this.tell(run, isForGate),
      // The next change is looked at again.
      () => undefined,
    );
  }

  private tell(run: RunInMemory, isMeant: (listener: Listener) => boolean): void {
    const waiting = this.listeners.get(run.runId) ?? [];
    const left = waiting.filter((listener) => !isMeant(listener));
    if (left.length > 0) this.listeners.set(run.runId, left);
    else this.listeners.delete(run.runId);
    for (const listener of waiting) if (isMeant(listener)) listener.tell(run);
  }

  /** Whether the run, or a run that it waits for, has a gate that waits for a decision. */
  async isAtGate(runId: string): Promise<boolean> {
    const own = await this.options.store.listOpenGates({ runId });
    return own.length > 0 || this.hasGateBelow(runId);
  }

  private async hasGateBelow(runId: string): Promise<boolean> {
    const { store } = this.options;
    for await (const below of runsBelowWithGates(store, runId)) {
      if ((await store.listOpenGates({ runId: below.runId })).length > 0) return true;
    }
    return false;
  }

  /** Called when an owned run waits for a unit that is not registered. */
  lacksUnit(runId: string): void {
    for (const { lacksUnit } of this.listeners.get(runId) ?? []) lacksUnit();
  }

  /** Called when these runs have become foreign. */
  moved(isMoved: (runId: string) => boolean): void {
    for (const [runId, waiting] of this.listeners) {
      if (!isMoved(runId)) continue;
      this.listeners.delete(runId);
      for (const { tell } of waiting) tell(null);
    }
  }

  /** The process ends: all that still wait get null. */
  close(): void {
    this.closing.abort();
    this.moved(() => true);
  }

  /**
   * As `next`, for a run that has begun and is checked out: at once where it has stopped already. Without a bound by
   * default, while the run does not wait for a unit that is not registered.
   */
  ofRun(
    run: RunInMemory,
    { waitMs, signal, syncUntil: until = 'stop' }: Waiting & Until = {},
  ): RunRecord | Promise<RunRecord | null> {
    const { reader, owns, awaitsUnit } = this.options;
    const isMet = statusOf(run.durable) !== 'running' || (until === 'gate' && hasOpenGate(run.durable));
    if (isMet) return reader.recordOfLive(run);
    if (waitMs !== undefined || signal !== undefined) {
      return this.next(run.runId, waitMs ?? null, signal, until).stopped;
    }
    const next = (): Promise<RunRecord | null> => this.next(run.runId, null, undefined, until).stopped;
    if (this.closing.signal.aborted || !owns(run.runId) || awaitsUnit(run.runId)) return next();
    // This wait is not given up while its run can move, so nothing is kept to end it.
    return new Promise((resolve) => {
      const tell = (stopped: RunInMemory | null): void =>
        resolve(stopped === null ? next() : reader.recordOfLive(stopped));
      const lacksUnit = (): void => {
        stopHearing();
        resolve(next());
      };
      const stopHearing = this.hear(run.runId, { until, tell, lacksUnit });
    });
  }

  /**
   * The record of the run once it stops, or, `until` a gate, has an open one; null after `maxWaitMs` (null: no bound, unless it
   * waits for a unit that is not registered), when the signal is aborted or when the engine closes. That must not have come yet, or the run must not have begun: a wait may
   * begin before the start is sent.
   */
  next(
    runId: string,
    maxWaitMs: number | null,
    signal?: AbortSignal,
    until: SyncUntil = 'stop',
  ): CompletionWait {
    let abandon = (): void => undefined;
    const stopped = new Promise<RunRecord | null>((resolve) => {
      let stopHearing = (): void => undefined;
      let cancelTimer: CancelTimer | undefined;
      const end = (record: RunRecord | null | Promise<RunRecord>): void => {
        cancelTimer?.();
        signal?.removeEventListener('abort', abandon);
        stopHearing();
        resolve(record);
      };
      abandon = () => end(null);
      if (this.closing.signal.aborted || signal?.aborted === true) return resolve(null);
      const { clock, owns, reader, awaitsUnit, unitWaitMs } = this.options;
      if (maxWaitMs !== null) cancelTimer = clock.schedule(clock.now() + maxWaitMs, abandon);
      signal?.addEventListener('abort', abandon);
      const follow = (): void => {
        const ending = new AbortController();
        stopHearing = () => ending.abort();
        this.follow(runId, until, ending.signal).then(end, () => end(null));
      };
      if (!owns(runId)) return follow();
      const lacksUnit = (): void => {
        // Once the unit is there, the run moves again, and the wait has no bound as before.
        cancelTimer ??= clock.schedule(clock.now() + unitWaitMs, () => {
          cancelTimer = undefined;
          if (awaitsUnit(runId)) abandon();
        });
      };
      const tell = (run: RunInMemory | null): void => {
        if (run !== null) end(reader.recordOfLive(run));
        else if (this.closing.signal.aborted) end(null);
        else follow();
      };
      stopHearing = this.hear(runId, { until, tell, lacksUnit });
      if (awaitsUnit(runId)) lacksUnit();
    });
    // The caller may await something else first.
    stopped.catch(() => undefined);
    return { stopped, abandon };
  }

  /** Waits for an owned run: its own mailbox notifies. Returns a function that stops listening. */
  private hear(runId: string, listener: Listener): () => void {
    const others = this.listeners.get(runId);
    this.listeners.set(runId, others === undefined ? [listener] : [...others, listener]);
    return () => {
      const left = this.listeners.get(runId)?.filter((other) => other !== listener) ?? [];
      if (left.length > 0) this.listeners.set(runId, left);
      else this.listeners.delete(runId);
    };
  }

  /** Waits for a foreign run: a cursor into its log that looks at nothing but the run's status, and its gates. */
  private async follow(runId: string, until: SyncUntil, signal: AbortSignal): Promise<RunRecord | null> {
    const { clock } = this.options;
    const both = AbortSignal.any([signal, this.closing.signal]);
    const cursor = new LogCursor(this.logOf(runId, until), 0);
    while (!both.aborted) {
      const looked = new AbortController();
      try {
        // The log shows nothing, so the first that it yields is its end.
        const next = await cursor.pages(AbortSignal.any([both, looked.signal])).next();
        return next.done === true ? next.value : null;
      } catch (error) {
        // The fault passes: the run continues in the meantime, and so does the wait.
        if (!(error instanceof StoreError) || error.permanent) throw error;
        await sleep(clock, LOOK_AGAIN_MS, both);
      } finally {
        looked.abort();
      }
    }
    return null;
  }

  /** The log of a run, which ends with the record of the run where that has stopped, or is at a gate. */
  private logOf(runId: string, until: SyncUntil): CursorLog<never, RunRecord> {
    const { store, watch, reader } = this.options;
    return {
      wait: (afterSeq, signal) => watch.waitFor({ runId, afterSeq, signal }),
      read: async () => {
        const row = await store.readRow({ runId });
        const hasStopped = row !== null && row.status !== 'running' && row.status !== 'pending';
        const isMet = hasStopped || (until === 'gate' && row !== null && (await this.isAtGate(runId)));
        const end = isMet ? await reader.record(row) : null;
        return { items: [], position: row?.lastSeq ?? 0, isLast: true, end };
      },
    };
  }
}

function isForGate({ until }: Listener): boolean {
  return until === 'gate';
}

function hasOpenGate({ forPeople, waits }: RunState): boolean {
  return forPeople > 0 && waits.some(({ kind }) => kind === 'gate');
}

interface Until {
  /** Default `stop`. */
  readonly syncUntil?: SyncUntil | undefined;
}

export interface CompletionWait {
  readonly stopped: Promise<RunRecord | null>;
  /** Ends the wait: resolves `stopped` with null. */
  abandon(): void;
}
