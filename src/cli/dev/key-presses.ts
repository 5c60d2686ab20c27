import { isForPeople } from '../terminal/for-people.js';

/**
 * Single keys of a terminal, without return. Its mode is changed for that: `stop` puts it back, and so does Node where the process
 * ends otherwise. Ctrl-C, which the terminal does not understand meanwhile, is the signal that it always is.
 */
export class KeyPresses {
  readonly #onData = (keys: string): void => {
    for (const key of keys) {
      if (key === '\u0003') process.kill(process.pid, 'SIGINT');
      else this.onKey(key);
    }
  };

  constructor(
    private readonly stdin: NodeJS.ReadStream,
    private readonly onKey: (key: string) => void,
  ) {}

  /** False: nobody sits there. */
  start(): boolean {
    if (!isForPeople(this.stdin)) return false;
    this.stdin.setRawMode(true).setEncoding('utf8').on('data', this.#onData).resume();
    return true;
  }

  stop(): void {
    if (!isForPeople(this.stdin)) return;
    this.stdin.off('data', this.#onData).pause().setRawMode(false);
  }
}
