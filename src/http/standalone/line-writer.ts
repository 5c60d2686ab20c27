/** The part of a stream that a line writer uses. */
export type LineSink = Pick<NodeJS.WritableStream, 'write'>;

/** Enough for one write; more would only wait in memory. */
const MAX_CHARS = 65_536;

/**
 * Writes lines together: one write for each round of the event loop, or for 64 KiB. Gathered lines are written when
 * the process exits; only a kill -9 loses those of the last round.
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

  /** Writes the gathered lines at once: for urgent lines, and before others write to the same stream. */
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
