import type { JsonObject, SyncUntil } from 'flowgate-client';
import { EXIT, exitCodeOf } from '../exit-code.js';
import { readInput } from '../input/read-json.js';
import { asking } from './server/asking.js';
import type { OutputArguments } from './server/output-format.js';
import { followedOnScreen } from './output/followed.js';
import { showRun } from './output/shown.js';
import { labelsOf } from './lists/labels.js';
import type { ServerArguments } from './server/server-options.js';

export interface StartArguments extends ServerArguments, OutputArguments {
  readonly workflowId: string;
  readonly input?: string | undefined;
  readonly label?: readonly string[] | undefined;
  readonly sync?: boolean | undefined;
  readonly until?: SyncUntil | undefined;
  readonly wait?: boolean | undefined;
  readonly key?: string | undefined;
}

/** A caller that waits for the run gets the run's status as the exit code. */
export async function startRun(given: StartArguments): Promise<number> {
  const { workflowId, sync = false, until: syncUntil, wait = false, key: idempotencyKey } = given;
  // The value comes from JSON.parse.
  const input = (await readInput(given.input)) as JsonObject;
  const labels = labelsOf(given.label);
  const record = await asking(given, async (client, signal) => {
    const started = await client.startWorkflow(workflowId, input, {
      labels,
      sync,
      syncUntil,
      signal,
      idempotencyKey,
    });
    if (!wait) return started;
    return followedOnScreen({ client, workflowId, runId: started.runId, signal, untilPaused: true });
  });
  await showRun(record, given);
  return sync || wait ? exitCodeOf(record.status) : EXIT.done;
}
