import type { ShardSet } from './run-index.js';

/** One attempt of one execution whose call has begun. */
export interface CallMark {
  readonly runId: string;
  readonly executionId: number;
  readonly attempt: number;
}

/** A run in which the process died, several times in a row and with nothing of it appended between. */
export interface CrashCounts {
  readonly runId: string;
  /** Seq of its last event each time. */
  readonly lastSeq: number;
  readonly deaths: number;
}

/**
 * What a process was doing when it died: which calls had begun, and in which runs it died (promises 6 and 7).
 *
 * 1. What was left behind in some shards (null: in all) is asked for by the process that takes them from one that died, before it
 *    touches their runs; after a planned hand-over nobody asks.
 * 2. It is handed over with the answer: the same mark, or the same count of deaths, is answered once, to whoever asks first. A
 *    count is answered again when another death has raised it.
 * 3. No process is answered what it has marked itself, however often its shards went away and came back.
 */
export interface CrashJournal {
  /** False: the store ends with the process, so that the calls that had begun are never read. Absent: true. */
  readonly keepsMarks?: boolean;
  /**
   * Records which calls begin and which are over, before the calls begin. It returns nothing where that is done when it returns;
   * else a promise that resolves when it is done, which may be a moment later, for many calls at once. That promise is awaited
   * before a call that a process which died may have made before, and before no other. It neither throws nor rejects: a fault
   * shows in a deep `check`, and a store that is not open ignores it. What is requested later is recorded later.
   */
  markCalls(request: {
    readonly begun: readonly CallMark[];
    readonly ended: readonly CallMark[];
  }): void | Promise<void>;
  /** The calls of runs in these shards that had begun and were not over when their process died. */
  callsLeftBehind(request: { readonly shards: ShardSet | null }): Promise<readonly CallMark[]>;
  /**
   * Records that a turn, or the reading of a long log, begins that may kill the process, with the run's last seq; null: it
   * is over. Each call replaces the one before. As `markCalls` it returns nothing, or a promise, and neither throws nor
   * rejects; where something begins, the promise is always awaited before it does.
   */
  markAtRisk(request: {
    readonly runId: string;
    readonly doing: 'load' | 'turn';
    readonly lastSeq: number | null;
  }): void | Promise<void>;
  /** The runs in these shards in which processes died. The caller compares `lastSeq` with the run's row. */
  deathsLeftBehind(request: { readonly shards: ShardSet | null }): Promise<readonly CrashCounts[]>;
}
