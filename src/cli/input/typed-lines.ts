import { createInterface, type Interface } from 'node:readline';

/**
 * What is typed at a terminal, line by line. One reader serves all questions of a command, so that lines that are typed ahead
 * wait for the questions that they answer.
 */
export class TypedLines {
  readonly #waiting: string[] = [];
  #reader: Interface | undefined;
  #isOver = false;
  #wake: () => void = () => undefined;

  constructor(private readonly stdin: NodeJS.ReadStream) {}

  /** The next line; null: nothing more is typed (Ctrl-D). Throws the signal's reason. */
  async next(signal: AbortSignal): Promise<string | null> {
    signal.throwIfAborted();
    const stop = (): void => this.#wake();
    signal.addEventListener('abort', stop, { once: true });
    try {
      this.#open().resume();
      while (this.#waiting.length === 0 && !this.#isOver && !signal.aborted)
        await new Promise<void>((resolve) => (this.#wake = resolve));
      signal.throwIfAborted();
      return this.#waiting.shift() ?? null;
    } finally {
      signal.removeEventListener('abort', stop);
      if (!this.#isOver) this.#reader?.pause();
    }
  }

  /** Gives the terminal back. */
  close(): void {
    this.#reader?.close();
    this.stdin.pause();
  }

  #open(): Interface {
    if (this.#reader !== undefined) return this.#reader;
    // Without its own line editing the terminal keeps Ctrl-C, Ctrl-D and the echo.
    this.#reader = createInterface({ input: this.stdin, terminal: false });
    this.#reader.on('line', (line) => {
      this.#waiting.push(line);
      this.#wake();
    });
    this.#reader.once('close', () => {
      this.#isOver = true;
      this.#wake();
    });
    return this.#reader;
  }
}
