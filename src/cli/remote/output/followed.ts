import type { FlowgateClient, RunEvent, RunRecord } from 'flowgate-client';
import { EVENT_PAGE } from '../../../engine/request-limits.js';
import { eventLine } from './event-line.js';
import { written } from '../../terminal/output.js';
import { paintFor } from '../../terminal/paint.js';
import { oneLine } from '../../terminal/printable.js';
import { inTone } from '../../terminal/tone.js';
import { treeOn, type LiveTree } from '../../tree/live-tree.js';
import type { LogSource } from '../../tree/log-event.js';

/** How long to wait for a server that cannot be reached, in ms. */
export const PATIENCE_MS = 600_000;

type Following = Pick<FlowgateClient, 'getRun' | 'eachEvent' | 'watchRun'>;

export interface Followed {
  readonly client: Following;
  readonly workflowId: string;
  readonly runId: string;
  /** The signal's reason is thrown. */
  readonly signal: AbortSignal;
  /** Whether a pause ends the following, too. */
  readonly untilPaused: boolean;
  /** Takes each event, instead of a line on stderr. */
  readonly asLine?: ((event: RunEvent) => Promise<void>) | undefined;
}

/** Shows the events of a run as they come. Returns the record once the run has stopped and all its events are shown. */
export async function followed(given: Followed): Promise<RunRecord> {
  const { client, workflowId, runId, signal, untilPaused, asLine = lineWriter() } = given;
  let seen = 0;
  const show = async (event: RunEvent): Promise<void> => {
    seen = event.seq;
    await asLine(event);
  };
  const record = (): Promise<RunRecord> => client.getRun(workflowId, runId, { signal });
  // What paused under an older version of the service tells nothing of it.
  for (let isPaused = untilPaused && (await record()).status === 'paused'; ; isPaused = false) {
    if (!isPaused) {
      const events = client.watchRun(workflowId, runId, { afterSeq: seen, signal, timeoutMs: PATIENCE_MS });
      for await (const event of events) {
        await show(event);
        // A pause of the past may have been lifted since.
        if (untilPaused && tellsPause(event) && (await record()).status === 'paused') break;
      }
    }
    const present = await record();
    if (present.status === 'running' || (present.status === 'paused' && !untilPaused)) continue;
    for await (const event of client.eachEvent(workflowId, runId, { afterSeq: seen, signal }))
      await show(event);
    return present;
  }
}

export interface FollowedOnScreen extends Followed {
  readonly client: FlowgateClient;
  /** Is given the tree, for lines above it. */
  readonly onTree?: (tree: LiveTree) => void;
}

/** As `followed`; who sits at a terminal sees the tree of the run in place of lines. */
export async function followedOnScreen(given: FollowedOnScreen): Promise<RunRecord> {
  const { client, workflowId, runId, signal, asLine, onTree } = given;
  const view = 'log';
  const source: LogSource = {
    eventsAfter: (afterSeq) =>
      client.eachEvent(workflowId, runId, { afterSeq, limit: EVENT_PAGE.most, view, signal }),
    whole: (seq) => client.getEvent(workflowId, runId, seq, { view, signal }),
  };
  const tree = asLine === undefined ? treeOn(process.stderr, source) : null;
  if (tree === null) return followed(given);
  onTree?.(tree);
  try {
    return await followed({ ...given, asLine: async () => tree.wake() });
  } finally {
    await tree.settle();
  }
}

type Show = (event: RunEvent) => Promise<void>;

/** Whether the run came to a pause with the event. A pause of one branch, while others move, is none. */
function tellsPause({ data, change }: RunEvent): boolean {
  return (change?.data ?? data)['status'] === 'paused';
}

/** Writes lines for people to stderr, and waits for a slow reader. */
export function lineWriter(prefixOf: (event: RunEvent) => string = () => ''): Show {
  const { stderr } = process;
  const paint = paintFor(stderr);
  return async (event) => {
    const line = eventLine(event);
    if (line === null) return;
    const text = `${prefixOf(event)}${oneLine(line.subject)}: ${line.text}`;
    await written(stderr, `${inTone(paint, line.tone, text)}\n`);
  };
}
