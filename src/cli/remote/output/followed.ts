import { setTimeout as sleep } from 'node:timers/promises';
import type { FlowgateClient, RunEvent, RunRecord } from 'flowgate-client';
import { eventLine } from './event-line.js';
import { written } from '../../terminal/output.js';
import { paintFor } from '../../terminal/paint.js';
import { oneLine } from '../../terminal/printable.js';
import { inTone } from '../../terminal/tone.js';

/** How long to wait for a server that cannot be reached, in ms. */
export const PATIENCE_MS = 600_000;
/** How soon a caller that waits for a pause reads the record once no event comes, and the longest interval later, in ms. */
export const FIRST_LULL_MS = 200;
export const LONGEST_LULL_MS = 3_000;

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
  for (;;) {
    const events = client.watchRun(workflowId, runId, { afterSeq: seen, signal, timeoutMs: PATIENCE_MS });
    try {
      const paused = untilPaused
        ? await shownUntilPaused(events, show, given)
        : await shownToTheEnd(events, show);
      if (paused !== null) {
        for await (const event of client.eachEvent(workflowId, runId, { afterSeq: seen, signal }))
          await show(event);
        return paused;
      }
    } finally {
      await events.return?.();
    }
    const record = await client.getRun(workflowId, runId, { signal });
    if (record.status === 'completed' || record.status === 'failed') return record;
    // The run was resumed in the meantime and continues.
  }
}

async function shownToTheEnd(events: AsyncIterable<RunEvent>, show: Show): Promise<null> {
  for await (const event of events) await show(event);
  return null;
}

type Show = (event: RunEvent) => Promise<void>;

/**
 * The record of a run that is paused; null: the run is over. Not every pause is an event, so the record is read after
 * a lull.
 */
async function shownUntilPaused(
  events: AsyncIterator<RunEvent>,
  show: Show,
  { client, workflowId, runId, signal }: Followed,
): Promise<RunRecord | null> {
  let lullMs = FIRST_LULL_MS;
  for (let next = events.next(); ;) {
    const received = await within(next, lullMs);
    if (received?.done === true) return null;
    if (received !== null) {
      await show(received.value);
      lullMs = FIRST_LULL_MS;
      next = events.next();
      continue;
    }
    const record = await client.getRun(workflowId, runId, { signal });
    if (record.status === 'paused') {
      // The pending read is abandoned.
      next.catch(() => undefined);
      return record;
    }
    lullMs = Math.min(lullMs * 1.5, LONGEST_LULL_MS);
  }
}

/** The result if it comes within the time; otherwise null. */
async function within<T>(coming: Promise<T>, ms: number): Promise<T | null> {
  const controller = new AbortController();
  const lull = sleep(ms, null, { signal: controller.signal }).catch(() => null);
  try {
    return await Promise.race([coming, lull]);
  } finally {
    controller.abort();
  }
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
