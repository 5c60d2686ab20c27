export interface PgBouncerOptions {
  /** Of the server behind it, on 127.0.0.1. */
  readonly port: number;
  /** As whom it connects, whoever asks it; without a password. */
  readonly user: string;
  /** Default: `transaction`. */
  readonly mode?: 'session' | 'transaction' | 'statement';
  /** Sessions of the server for each database. Default: 4. */
  readonly sessions?: number;
}

/** Starts one on a free port of 127.0.0.1, found or installed like PostgreSQL. Whoever connects from there is trusted. */
export function startPgBouncer(options: PgBouncerOptions): Promise<PgBouncer>;

export class PgBouncer {
  readonly port: number;
  /** What it has written; the newest 64 KiB. */
  readonly log: string;
  /** The same URL, by this way. */
  through(url: string): string;
  stop(): Promise<void>;
}
