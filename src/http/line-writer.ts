/** What a line writer needs of a stream. */
export type LineSink = Pick<NodeJS.WritableStream, 'write'>;

/** Enough for one write; more would only wait in memory. */
const MAX_CHARS = 65_536;

/**
 * Writes lines together: one write for each turn of the event loop, or for 64 KiB. What has gathered when the process
 * exits is written then; only a kill -9 takes with it what was said in its last turn.
 */
export class LineWriter {
  private gathered = '';
  private isScheduled = false;
  private isGuarded = false;

  constructor(private readonly sink: LineSink) {}

  write(line: string): void {
    this.gathered += `${line}\n`;
    if (this.gathered.length >= MAX_CHARS) this.flush();
    else this.schedule();
  }

  /** At once: for what must not wait, and before somebody else writes to the same stream. */
  flush(): void {
    if (this.gathered === '') return;
    const lines = this.gathered;
    this.gathered = '';
    this.sink.write(lines);
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.flush();
    });
    if (this.isGuarded) return;
    this.isGuarded = true;
    process.once('exit', () => this.flush());
  }
}
