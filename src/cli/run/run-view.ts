import type { Engine, PublicEvent, PublicEventPage } from '../../engine/index.js';
import { written } from '../terminal/output.js';
import { paintFor, type Paint } from '../terminal/paint.js';
import { oneLine } from '../terminal/printable.js';
import { inTone } from '../terminal/tone.js';
import { treeOn, type LiveTree } from '../tree/live-tree.js';
import type { LogSource } from '../tree/log-event.js';
import { duration, lineOf, type StepLine } from '../tree/step-line.js';

/** Shows a run while it runs. */
export interface RunView {
  /** Waits for a slow reader. */
  show(event: PublicEvent): Promise<void>;
  /** Leaves the screen to a question about the gate that was opened last. */
  beforeQuestion(gate: StepLine): Promise<void>;
  /** The run has stopped, or nobody waits for it any more. */
  settle(): Promise<void>;
}

/** A line for each event, with how long each call took. */
class LinesOfRun implements RunView {
  private readonly begunAt = new Map<number, number>();
  private readonly paint: Paint;

  constructor(private readonly stream: NodeJS.WriteStream) {
    this.paint = paintFor(stream);
  }

  async show(event: PublicEvent): Promise<void> {
    const tookMs = this.tookMs(event);
    const line = lineOf(event);
    if (line === null) return;
    const took = tookMs === null ? '' : this.paint('dim', ` (${duration(tookMs)})`);
    const text = `${oneLine(line.subject)}: ${line.text}`;
    await written(this.stream, `${inTone(this.paint, line.tone, text)}${took}\n`);
  }

  async beforeQuestion(): Promise<void> {}

  async settle(): Promise<void> {}

  /** How long the call took that this event ends. */
  private tookMs({ type, data, at }: PublicEvent): number | null {
    const { executionId } = data as unknown as { readonly executionId: number };
    if (type === 'unit.scheduled') {
      this.begunAt.set(executionId, at);
      return null;
    }
    if (type !== 'unit.finished' && type !== 'unit.failed') return null;
    const begunAt = this.begunAt.get(executionId);
    this.begunAt.delete(executionId);
    return begunAt === undefined ? null : at - begunAt;
  }
}

/** The tree of the run, drawn over itself. */
class TreeOfRun implements RunView {
  constructor(
    private readonly stream: NodeJS.WriteStream,
    private readonly tree: LiveTree,
  ) {}

  async show(): Promise<void> {
    this.tree.wake();
  }

  async beforeQuestion({ tone, subject, text }: StepLine): Promise<void> {
    await this.tree.hide();
    const line = inTone(paintFor(this.stream), tone, `${oneLine(subject)}: ${text}`);
    await written(this.stream, `${line}\n`);
  }

  settle(): Promise<void> {
    return this.tree.settle();
  }
}

/** Nothing but the record. */
const NO_VIEW: RunView = {
  show: async () => {},
  beforeQuestion: async () => {},
  settle: async () => {},
};

export interface Viewed {
  readonly engine: Engine;
  readonly workflowId: string;
  readonly runId: string;
}

/** A tree on a terminal, lines elsewhere, or nothing. */
export function viewOf(run: Viewed, stream: NodeJS.WriteStream, isQuiet: boolean): RunView {
  if (isQuiet) return NO_VIEW;
  const tree = treeOn(stream, logOf(run));
  return tree === null ? new LinesOfRun(stream) : new TreeOfRun(stream, tree);
}

function logOf({ engine, workflowId, runId }: Viewed): LogSource {
  const view = 'log';
  return {
    async *eventsAfter(seq) {
      for (let afterSeq: number | null = seq; afterSeq !== null;) {
        const page: PublicEventPage = await engine.runs.events({ workflowId, runId, afterSeq, view });
        yield* page.items;
        afterSeq = page.next;
      }
    },
    async whole(seq) {
      const event = await engine.runs.event({ workflowId, runId, seq, view });
      if (event === null) throw new Error(`The run ${runId} has no event ${seq}.`);
      return event;
    },
  };
}
