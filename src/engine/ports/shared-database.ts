/** The connections of this process to a database that it shares, for metrics. */
export interface ConnectionFigures {
  readonly open: number;
  /** Of those, the ones on which nothing is asked at the moment. */
  readonly idle: number;
  /** Statements and transactions that wait for one. */
  readonly waiting: number;
  /** As many as there may be. */
  readonly most: number;
}

/** A transaction that is open for long. Those who follow the log read no entry that was written after it began. */
export interface HeldUp {
  /** The process of the database that has it; null: none has, such as where it is prepared for a commit in two phases. */
  readonly pid: number | null;
  /** For how long the database has gone no further, as far as this process has seen. */
  readonly forMs: number;
}

/** What a database that processes share tells of itself, beyond what its store, driver and watch are asked for. */
export interface SharedDatabase {
  /** 32 bytes, the same in all processes, also after a restart of all. Rejects with a `StoreError`. */
  sharedKey(): Promise<Uint8Array>;
  connections(): ConnectionFigures;
  /** Null: nothing holds followers up. */
  heldUp(): HeldUp | null;
}
