import type { RunEvent } from 'flowgate-client';
import { UsageError } from '../command-errors.js';
import { EXIT, exitCodeOf } from '../exit-code.js';
import { jsonText, note, print } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';
import { asking, askingAbout } from './server/asking.js';
import { namesRun } from './server/run-words.js';
import { askedFormat, type OutputArguments } from './server/output-format.js';
import { followedOnScreen, lineWriter, PATIENCE_MS } from './output/followed.js';
import { showRun } from './output/shown.js';
import type { ServerArguments } from './server/server-options.js';

export type WatchArguments = ServerArguments &
  OutputArguments & {
    readonly workflowId?: string | undefined;
    readonly runId?: string | undefined;
    readonly untilPaused?: boolean | undefined;
  };

/** Watches one run until it ends, or all runs until Ctrl-C. */
export async function watch(given: WatchArguments): Promise<number> {
  const { workflowId, runId, untilPaused = false } = given;
  if (workflowId === undefined) return watchAll(given);
  const isAlone = runId === undefined && namesRun(workflowId);
  if (runId === undefined && !isAlone)
    throw new UsageError(`Which run of ${workflowId}? Name it too, or leave both out to watch all runs.`);
  const named = isAlone ? { workflowId: undefined, runId: workflowId } : { workflowId, runId: runId ?? '' };
  const record = await askingAbout({ ...given, ...named }, (client, run, signal) =>
    followedOnScreen({ client, ...run, signal, untilPaused, asLine: asJson(given) }),
  );
  await showRun(record, given);
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

function asJson(given: OutputArguments): ((event: RunEvent) => Promise<void>) | undefined {
  return askedFormat(given) === 'json' ? (event) => print(jsonText(event, false)) : undefined;
}
