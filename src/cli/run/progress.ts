import type { RunStep } from '../../engine/index.js';
import { truncateToWidth } from '../terminal/display-width.js';
import { written } from '../terminal/output.js';
import { paintFor, type Paint } from '../terminal/paint.js';
import { oneLine } from '../terminal/printable.js';
import { inTone } from '../terminal/tone.js';
import { duration, type StepLine } from './step-line.js';

const REDRAW_MS = 100;
/** The most units in flight that the last line names. */
const MAX_NAMED = 5;

interface AtWork {
  readonly unitId: string;
  /** Epoch ms. */
  readonly since: number;
}

/**
 * Shows a run on stderr: a line for each step and, on a terminal, a last line that is redrawn and names the units in
 * flight and for how long they have been.
 */
export class Progress {
  private readonly atWork = new Map<number, AtWork>();
  private readonly paint: Paint;
  private readonly isLive: boolean;
  private timer: NodeJS.Timeout | undefined;
  private isDrawn = false;

  constructor(
    private readonly stream: NodeJS.WriteStream,
    private readonly options: { readonly isQuiet: boolean },
  ) {
    this.paint = paintFor(stream);
    this.isLive = stream.isTTY && process.env['TERM'] !== 'dumb' && !options.isQuiet;
  }

  /** Waits for a slow reader. */
  async show(step: RunStep, line: StepLine): Promise<void> {
    const tookMs = this.tookMs(step);
    if (this.options.isQuiet) return;
    // On a terminal the last line names the units in flight.
    if (!(this.isLive && step.type === 'unit-started')) {
      this.erase();
      const took = tookMs === null ? '' : this.paint('dim', ` (${duration(tookMs)})`);
      await written(
        this.stream,
        `${inTone(this.paint, line.tone, `${oneLine(line.subject)}: ${line.text}`)}${took}\n`,
      );
    }
    this.keepDrawing();
  }

  /** Removes the last line until the next step. */
  hideLastLine(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.erase();
  }

  /** How long the call took that this step ends. */
  private tookMs(step: RunStep): number | null {
    if (step.type === 'unit-started') {
      this.atWork.set(step.executionId, { unitId: step.unitId, since: step.at });
      return null;
    }
    if ((step.type !== 'unit-finished' && step.type !== 'unit-failed') || step.executionId === null)
      return null;
    const work = this.atWork.get(step.executionId);
    this.atWork.delete(step.executionId);
    return work === undefined ? null : step.at - work.since;
  }

  private keepDrawing(): void {
    if (!this.isLive) return;
    if (this.atWork.size === 0) return this.hideLastLine();
    this.draw();
    this.timer ??= setInterval(() => this.draw(), REDRAW_MS).unref();
  }

  private draw(): void {
    const now = Date.now();
    const named = [...this.atWork.values()].slice(0, MAX_NAMED);
    const parts = named.map(({ unitId, since }) => `${oneLine(unitId, 40)} ${duration(now - since)}`);
    const others = this.atWork.size - named.length;
    if (others > 0) parts.push(`and ${others} more`);
    // A line that wraps could not be redrawn.
    const text = truncateToWidth(`… ${parts.join(', ')}`, Math.max(10, (this.stream.columns || 80) - 1));
    this.stream.write(`\r\u001B[K${this.paint('cyan', text)}`);
    this.isDrawn = true;
  }

  private erase(): void {
    if (this.isDrawn) this.stream.write('\r\u001B[K');
    this.isDrawn = false;
  }
}
