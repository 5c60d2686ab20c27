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

/** What a process was doing when it died: which calls had begun, and in which runs it died (promises 6 and 7). */
export interface CrashJournal {
  /** False: the store ends with the process, so that the calls that had begun are never read. Absent: true. */
  readonly keepsMarks?: boolean;
  /**
   * Records which calls begin and which are over, synchronously, before the calls begin. It never throws: a fault of the
   * disk shows in a deep `check`, and a store that is not open ignores it.
   */
  markCalls(request: { readonly begun: readonly CallMark[]; readonly ended: readonly CallMark[] }): void;
  /** The calls that had begun and were not over when the process that opened the store before this one died. */
  callsLeftBehind(): Promise<readonly CallMark[]>;
  /**
   * Records that a turn, or the reading of a long log, begins that may kill the process, with the run's last seq; null: it
   * is over. Each call replaces the one before. As `markCalls` it is synchronous and never throws.
   */
  markAtRisk(request: {
    readonly runId: string;
    readonly doing: 'load' | 'turn';
    readonly lastSeq: number | null;
  }): void;
  /** The runs in which the processes before this one died. The caller compares `lastSeq` with the run's row. */
  deathsLeftBehind(): Promise<readonly CrashCounts[]>;
}
