import { isForPeople } from '../terminal/for-people.js';
import { written } from '../terminal/output.js';
import { paintFor, type Paint } from '../terminal/paint.js';
import { widthOf } from '../terminal/display-width.js';
import { inTone } from '../terminal/tone.js';
import { newEvents, type LogSource } from './log-event.js';
import { RunTree } from './run-tree.js';
import { takeEvent } from './step-folds.js';
import { treeLines, type TreeLine } from './tree-lines.js';

const REDRAW_MS = 100;
/** Lines of the terminal that a tree leaves: the cursor's, and one that a key may be echoed to. */
const SPARE_LINES = 2;

/**
 * Keeps the tree of a run on a terminal up to date while it runs.
 *
 * 1. The tree is drawn over itself: from its first line on, all below belongs to it until it is settled or hidden.
 * 2. No mode of the terminal is changed, and a frame is one write that ends at the beginning of a line: whenever the process
 *    ends, by Ctrl-C too, there is nothing to put back.
 * 3. A frame is made while none is being written: a slow terminal gets fewer of them.
 */
export class LiveTree {
  readonly #tree = new RunTree();
  readonly #paint: Paint;
  /** The widths of the lines that are on the screen. */
  #drawn: readonly number[] = [];
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | null = null;
  #isBehind = false;
  #isWriting = false;

  constructor(
    private readonly stream: NodeJS.WriteStream,
    private readonly source: LogSource,
  ) {
    this.#paint = paintFor(stream);
  }

  /** Something happened: it is read, and shown soon. */
  wake(): void {
    this.#isBehind = true;
    this.#timer ??= setInterval(() => void this.#tick(), REDRAW_MS).unref();
  }

  /** Writes a line above the tree. */
  async above(text: string): Promise<void> {
    await written(this.stream, `${this.#erasing()}${text}\n`);
  }

  /** Takes the tree off the screen until something happens. */
  async hide(): Promise<void> {
    this.#stop();
    await written(this.stream, this.#erasing());
  }

  /** Reads what is left, and leaves the tree as it is then. Without the rest, where that cannot be read. */
  async settle(): Promise<void> {
    this.#stop();
    // What is being read may have begun before the last thing happened.
    await this.#reading?.catch(() => undefined);
    await this.#read().catch(() => undefined);
    const frame = { ...this.#frame(), height: Infinity, hasHead: false };
    await written(this.stream, this.#erasing() + this.#painted(treeLines(this.#tree, frame)));
  }

  async #tick(): Promise<void> {
    // What cannot be read now is read with the next event; whoever follows the run hears of a server that is gone.
    if (this.#isBehind) await this.#read().catch(() => undefined);
    if (this.#timer === undefined || this.#isWriting || this.#tree.lastSeq === 0) return;
    this.#isWriting = true;
    const lines = treeLines(this.#tree, { ...this.#frame(), hasHead: true });
    const text = this.#erasing() + this.#painted(lines);
    this.#drawn = lines.map((line) => widthOf(line.text));
    await written(this.stream, text);
    this.#isWriting = false;
  }

  #read(): Promise<void> {
    this.#reading ??= this.#readAll().finally(() => (this.#reading = null));
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    this.#isBehind = false;
    for await (const event of newEvents(this.source, this.#tree.lastSeq)) takeEvent(this.#tree, event);
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #frame() {
    const { columns, rows } = this.#size();
    // A line that is as wide as the terminal wraps in some of them.
    return { width: Math.max(10, columns - 1), height: Math.max(2, rows - SPARE_LINES), now: Date.now() };
  }

  /** A terminal that nobody told its size, as in some containers, says that it has no columns. */
  #size(): { readonly columns: number; readonly rows: number } {
    return { columns: this.stream.columns || 80, rows: this.stream.rows || 24 };
  }

  /** To the first line of the tree, and all from there on away. A terminal that became narrower has wrapped lines. */
  #erasing(): string {
    const { columns } = this.#size();
    const lines = this.#drawn.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
    this.#drawn = [];
    return lines === 0 ? '' : `\u001B[${lines}A\r\u001B[J`;
  }

  #painted(lines: readonly TreeLine[]): string {
    return lines.map(({ tone, text }) => `${inTone(this.#paint, tone, text)}\n`).join('');
  }
}

/** A tree on stderr, if a person sits there at a terminal that can be drawn on; null: lines are for it. */
export function treeOn(stream: NodeJS.WriteStream, source: LogSource): LiveTree | null {
  return isForPeople(stream) && process.env['TERM'] !== 'dumb' ? new LiveTree(stream, source) : null;
}
