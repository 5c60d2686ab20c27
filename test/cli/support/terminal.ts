import { spawn, type IPty } from '@lydell/node-pty';
import headless from '@xterm/headless';

export interface Seat {
  readonly columns?: number;
  readonly rows?: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * A command at a terminal of its own: a pseudo-terminal of the system, and a terminal emulator that keeps its screen as somebody
 * would see it.
 */
export class Terminal {
  /** All that was written, as it came. */
  said = '';
  readonly ended: Promise<number>;
  readonly #pty: IPty;
  readonly #screen: InstanceType<typeof headless.Terminal>;
  readonly #changed = new Set<() => void>();
  #isOver = false;

  constructor([file, ...args]: readonly [string, ...string[]], seat: Seat = {}) {
    const { columns = 80, rows = 24, cwd = process.cwd(), env = {} } = seat;
    this.#screen = new headless.Terminal({ cols: columns, rows, scrollback: 5_000, allowProposedApi: true });
    this.#pty = spawn(file, args, {
      name: env['TERM'] ?? 'xterm',
      cols: columns,
      rows,
      cwd,
      env: { PATH: process.env['PATH'] ?? '', ...env },
    });
    this.#pty.onData((text) => {
      this.said += text;
      this.#screen.write(text, () => this.#notify());
    });
    this.ended = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode, signal = 0 }) => {
        this.#isOver = true;
        // What was written last is on the screen then.
        this.#screen.write('', () => resolve(signal === 0 ? exitCode : 128 + signal));
        this.#notify();
      });
    });
  }

  type(keys: string): void {
    this.#pty.write(keys);
  }

  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  /** The lines of the screen, with what was scrolled off it, without the empty ones at the end. */
  get lines(): readonly string[] {
    const { active } = this.#screen.buffer;
    const lines = Array.from(
      { length: active.length },
      (_, at) => active.getLine(at)?.translateToString(true) ?? '',
    );
    return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
  }

  /** The column of the cursor, from 0. */
  get cursorColumn(): number {
    return this.#screen.buffer.active.cursorX;
  }

  get text(): string {
    return this.lines.join('\n');
  }

  /** Resolves once the screen shows it; the error of one that ended before shows all that it said. */
  async shows(expected: string | RegExp): Promise<void> {
    const isShown = (): boolean =>
      typeof expected === 'string' ? this.text.includes(expected) : expected.test(this.text);
    while (!isShown()) {
      if (this.#isOver) throw new Error(`It ended without ${String(expected)}:\n${this.text}`);
      await new Promise<void>((resolve) => this.#changed.add(resolve));
    }
  }

  /** Ends the command, if it has not ended. */
  kill(): void {
    if (!this.#isOver) this.#pty.kill('SIGKILL');
  }

  #notify(): void {
    const waiting = [...this.#changed];
    this.#changed.clear();
    for (const wake of waiting) wake();
  }
}
