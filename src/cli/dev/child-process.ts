import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as after } from 'node:timers/promises';
import { oneLine } from '../terminal/printable.js';

/** How long a process has to end by itself. */
const GRACE_MS = 5_000;
const LOOK_AGAIN_MS = 50;
/** Most programs listen before: somebody who looks on for longer wants to know what it is that takes so long. */
const SAY_AFTER_MS = 2_000;
/** How long its last lines are waited for, where a child of its own keeps its output open. */
const LAST_LINES_MS = 500;
const MAX_LINE_CHARS = 2_000;

export interface Launched {
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** Takes each line that it prints, made printable. */
  readonly say: (line: string) => void;
}

export interface ListenWait {
  readonly withinMs: number;
  readonly signal: AbortSignal;
  /** Is called once, where it takes longer than usual. */
  readonly onLong: () => void;
  /** Nobody waits for it any longer. Default: that is so once the time is up. */
  readonly isVain?: () => Promise<boolean>;
}

/** A program that is started, and ended again. */
export class RunningProgram {
  readonly #child: ChildProcess;
  /** Resolves once it has ended, with how: `ended with 1`, or why it could not be started. */
  readonly ended: Promise<string>;
  #hasEnded = false;

  constructor({ command: [file, ...args], env, say }: Launched) {
    // stdin is the terminal's, and its keys are ours.
    this.#child = spawn(file, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      if (stream !== null)
        createInterface({ input: stream }).on('line', (line) => say(oneLine(line, MAX_LINE_CHARS)));
    this.ended = this.#end(file).finally(() => (this.#hasEnded = true));
  }

  /** Resolves once something listens on the port; false: it ended before, or the time was up. Throws the signal's reason. */
  async listensOn(port: number, { withinMs, signal, onLong, isVain }: ListenWait): Promise<boolean> {
    const began = performance.now();
    let isSaid = false;
    while (!this.#hasEnded && performance.now() < began + withinMs) {
      if (await accepts(port)) return true;
      if (!isSaid && performance.now() >= began + SAY_AFTER_MS) {
        isSaid = true;
        onLong();
      }
      await after(LOOK_AGAIN_MS);
      signal.throwIfAborted();
      if ((await isVain?.()) === true) return false;
    }
    return false;
  }

  /** Asks it to end, and ends it where it does not. */
  async stop(): Promise<void> {
    if (this.#hasEnded) return;
    this.#child.kill('SIGTERM');
    const late = setTimeout(() => this.#child.kill('SIGKILL'), GRACE_MS);
    await this.ended;
    clearTimeout(late);
  }

  async #end(file: string): Promise<string> {
    const closed = once(this.#child, 'close').catch(() => undefined);
    try {
      const [code, signal] = (await once(this.#child, 'exit')) as [number | null, string | null];
      await Promise.race([closed, after(LAST_LINES_MS, undefined, { ref: false })]);
      // What its own children may write later is shown, but not waited for.
      for (const stream of [this.#child.stdout, this.#child.stderr])
        if (stream instanceof Socket) stream.unref();
      return signal === null ? `ended with ${code}` : `was ended by ${signal}`;
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      return isMissing ? `needs ${file}, which is not installed` : String((error as Error).message);
    }
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
  });
}
