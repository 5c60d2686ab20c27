import type { FlowgateClient, RunEvent, RunRecord } from 'flowgate-client';
import { tellsPause } from '../../tells-pause.js';
import { eventLine } from './event-line.js';
import { written } from '../../terminal/output.js';
import { paintFor } from '../../terminal/paint.js';
import { oneLine } from '../../terminal/printable.js';
import { inTone } from '../../terminal/tone.js';

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
  const { client, workflowId, runId, signal, asLine = lineWriter() } = given;
  let seen = 0;
  const show = async (event: RunEvent): Promise<void> => {
    seen = event.seq;
    await asLine(event);
  };
  for (;;) {
    const events = client.watchRun(workflowId, runId, { afterSeq: seen, signal, timeoutMs: PATIENCE_MS });
    const paused = await shownUntilStopped(events, show, given);
    if (paused !== null) {
      for await (const event of client.eachEvent(workflowId, runId, { afterSeq: seen, signal }))
        await show(event);
      return paused;
    }
    const record = await client.getRun(workflowId, runId, { signal });
    if (record.status === 'completed' || record.status === 'failed') return record;
    // The run was resumed in the meantime and continues.
  }
}

type Show = (event: RunEvent) => Promise<void>;

/** The record of a run that is paused, where that is waited for; null: the run is over. */
async function shownUntilStopped(
  events: AsyncIterable<RunEvent>,
  show: Show,
  { client, workflowId, runId, signal, untilPaused }: Followed,
): Promise<RunRecord | null> {
  for await (const event of events) {
    await show(event);
    if (!untilPaused || !tellsPause(event)) continue;
    const record = await client.getRun(workflowId, runId, { signal });
    // A pause of the past was lifted since.
    if (record.status === 'paused') return record;
  }
  return null;
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
