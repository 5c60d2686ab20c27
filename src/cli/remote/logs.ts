import type { FlowgateClient, RunEvent } from 'flowgate-client';
import { EVENT_PAGE } from '../../engine/request-limits.js';
import { UsageError } from '../command-errors.js';
import { EXIT } from '../exit-code.js';
import { jsonText, print } from '../terminal/output.js';
import { paintFor, type Paint } from '../terminal/paint.js';
import { oneLine } from '../terminal/printable.js';
import { inTone } from '../terminal/tone.js';
import { eventLine } from './output/event-line.js';
import { PATIENCE_MS } from './output/followed.js';
import { instantText } from './output/listed.js';
import { askingAbout } from './server/asking.js';
import type { RunAddress } from './server/run-address.js';
import type { RunArguments, ServerArguments } from './server/server-options.js';

export type LogsArguments = ServerArguments &
  RunArguments & { readonly tail?: number | undefined; readonly follow?: boolean | undefined };

/** Shows what a run did, a line for each thing that happened; with `follow` until it is over. */
export async function logs(given: LogsArguments): Promise<number> {
  const { tail, follow = false } = given;
  if (tail !== undefined && !(Number.isSafeInteger(tail) && tail >= 1 && tail <= EVENT_PAGE.most))
    throw new UsageError(`--tail must be a whole number from 1 to ${EVENT_PAGE.most}.`);
  const paint = paintFor(process.stdout);
  await askingAbout(given, async (client, run, signal) => {
    for await (const event of eventsOf(client, run, { tail, follow, signal })) {
      const text = given.json === true ? jsonText(event, false) : logLine(event, paint);
      if (text !== null) await print(text);
    }
  });
  return EXIT.done;
}

async function* eventsOf(
  client: FlowgateClient,
  { workflowId, runId }: RunAddress,
  how: { readonly tail: number | undefined; readonly follow: boolean; readonly signal: AbortSignal },
): AsyncGenerator<RunEvent> {
  const { tail, follow, signal } = how;
  let afterSeq = 0;
  if (tail !== undefined) {
    const { items } = await client.getEvents(workflowId, runId, { tail, signal });
    yield* items;
    afterSeq = items.at(-1)?.seq ?? 0;
    if (!follow) return;
  }
  yield* follow
    ? client.watchRun(workflowId, runId, { afterSeq, signal, timeoutMs: PATIENCE_MS })
    : client.eachEvent(workflowId, runId, { afterSeq, limit: EVENT_PAGE.most, signal });
}

/** An event with its time, in the words of `watch`; null: it has none. */
function logLine(event: RunEvent, paint: Paint): string | null {
  const line = eventLine(event);
  if (line === null) return null;
  const time = paint('dim', instantText(event.at));
  return `${time}  ${inTone(paint, line.tone, `${oneLine(line.subject)}: ${line.text}`)}`;
}
