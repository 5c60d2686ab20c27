import type { PublicEvent } from '../../engine/index.js';
import { truncateToWidth } from '../terminal/display-width.js';
import { isForPeople } from '../terminal/for-people.js';
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
 * Shows a run on stderr: a line for each event and, on a terminal, a last line that is redrawn and names the units in
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
    this.isLive = isForPeople(stream) && process.env['TERM'] !== 'dumb' && !options.isQuiet;
  }

  /** Waits for a slow reader. */
  async show(event: PublicEvent, line: StepLine): Promise<void> {
    const tookMs = this.tookMs(event);
    if (this.options.isQuiet) return;
    // On a terminal the last line names the units in flight.
    if (!(this.isLive && event.type === 'unit.scheduled')) {
      this.erase();
      const took = tookMs === null ? '' : this.paint('dim', ` (${duration(tookMs)})`);
      await written(
        this.stream,
        `${inTone(this.paint, line.tone, `${oneLine(line.subject)}: ${line.text}`)}${took}\n`,
      );
    }
    this.keepDrawing();
  }

  /** Removes the last line until the next event. */
  hideLastLine(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.erase();
  }

  /** How long the call took that this event ends. */
  private tookMs({ type, data, at }: PublicEvent): number | null {
    const { unitId, executionId } = data as unknown as {
      readonly unitId: string;
      readonly executionId: number;
    };
    if (type === 'unit.scheduled') {
      this.atWork.set(executionId, { unitId, since: at });
      return null;
    }
    if (type !== 'unit.finished' && type !== 'unit.failed') return null;
    const work = this.atWork.get(executionId);
    this.atWork.delete(executionId);
    return work === undefined ? null : at - work.since;
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
