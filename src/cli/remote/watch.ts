import type { RunEvent } from 'flowgate-client';
import { UsageError } from '../command-errors.js';
import { EXIT, exitCodeOf } from '../exit-code.js';
import { jsonText, note, print } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';
import { asking, showRecord } from './server/asking.js';
import { followed, lineWriter, PATIENCE_MS } from './output/followed.js';
import type { ServerArguments } from './server/server-options.js';

export type WatchArguments = ServerArguments & {
  readonly workflowId?: string | undefined;
  readonly runId?: string | undefined;
  readonly untilPaused?: boolean | undefined;
};

/** Watches one run until it ends, or all runs until Ctrl-C. */
export async function watch(given: WatchArguments): Promise<number> {
  const { workflowId, runId, untilPaused = false } = given;
  if (workflowId === undefined) return watchAll(given);
  if (runId === undefined)
    throw new UsageError(`Which run of ${workflowId}? Name it too, or leave both out to watch all runs.`);
  const record = await asking(given, (client, signal) =>
    followed({ client, workflowId, runId, signal, untilPaused, asLine: asJson(given) }),
  );
  await showRecord(record, given);
  return exitCodeOf(record.status);
}

async function watchAll(given: WatchArguments): Promise<number> {
  if (given.untilPaused === true) throw new UsageError('--until-paused is of one run: name it.');
  const show = asJson(given) ?? lineWriter(({ workflowId, runId }) => `${oneLine(workflowId)} ${runId} `);
  await asking(given, async (client, signal) => {
    for await (const update of client.watchAll({ signal, timeoutMs: PATIENCE_MS })) {
      if (update.type === 'event') await show(update.event);
      else note('Some events may have been missed: the server does not know any more where this was.');
    }
  });
  return EXIT.done;
}

function asJson({ json }: ServerArguments): ((event: RunEvent) => Promise<void>) | undefined {
  return json === true ? (event) => print(jsonText(event, false)) : undefined;
}
