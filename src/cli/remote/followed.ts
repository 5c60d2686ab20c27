import { setTimeout as sleep } from 'node:timers/promises';
import type { FlowgateClient, RunMessage, RunRecord } from 'flowgate-client';
import { written } from '../terminal/output.js';
import { paintFor } from '../terminal/paint.js';
import { oneLine } from '../terminal/printable.js';
import { inTone } from '../terminal/tone.js';
import { messageLines } from './message-line.js';
import { MessageReader } from './message-reader.js';

/** How soon somebody looks again while much happens, and while nothing does. */
export const FIRST_PAUSE_MS = 200;
export const LONGEST_PAUSE_MS = 3_000;

export interface Followed {
  readonly client: Pick<FlowgateClient, 'getMessages' | 'getRun'>;
  readonly workflowId: string;
  readonly runId: string;
  /** Its reason is thrown. */
  readonly signal: AbortSignal;
  /** Whether a pause ends it too. */
  readonly untilPaused: boolean;
  /** Takes each message in place of a line on stderr. */
  readonly asLine?: ((message: RunMessage) => Promise<void>) | undefined;
}

/** Shows the messages of a run as they come, and answers its record once it stopped and all of them were shown. */
export async function followed({
  client,
  workflowId,
  runId,
  signal,
  untilPaused,
  asLine = lineWriter(),
}: Followed): Promise<RunRecord> {
  const reader = new MessageReader(client, { workflowId, runId, signal });
  for (let pauseMs = FIRST_PAUSE_MS; ;) {
    // The record is read first: then all messages of before it stopped are on the pages.
    const record = await client.getRun(workflowId, runId, { signal });
    const count = await reader.takeNew(asLine);
    if (isOver(record) || (untilPaused && record.status === 'paused')) return record;
    pauseMs = count > 0 ? FIRST_PAUSE_MS : Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS);
    await sleep(pauseMs, undefined, { signal }).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : error;
    });
  }
}

function isOver({ status }: RunRecord): boolean {
  return status === 'completed' || status === 'failed';
}

/** For people, on stderr; waits for a slow reader. */
function lineWriter(): (message: RunMessage) => Promise<void> {
  const { stderr } = process;
  const paint = paintFor(stderr);
  const lineOf = messageLines();
  return async (message) => {
    const line = lineOf(message);
    if (line === null) return;
    await written(stderr, `${inTone(paint, line.tone, `${oneLine(line.subject)}: ${line.text}`)}\n`);
  };
}
