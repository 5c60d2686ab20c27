import { InterruptedError } from '../command-errors.js';
import { EXIT } from '../exit-code.js';

const CODES = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated } as const;

/** Lets a command end cleanly at Ctrl-C; a second Ctrl-C ends the process at once. */
export class Interruption {
  readonly #controller = new AbortController();
  readonly #listener = (signal: NodeJS.Signals): void => {
    const code = CODES[signal as keyof typeof CODES];
    if (this.signal.aborted) process.exit(code);
    this.#controller.abort(new InterruptedError(code));
  };

  constructor() {
    for (const name of Object.keys(CODES)) process.on(name, this.#listener);
  }

  /** The signal's reason is an `InterruptedError`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** From here on a signal ends the process, as if there were no listener. */
  stop(): void {
    for (const name of Object.keys(CODES)) process.off(name, this.#listener);
  }
}
