import { exitCodeOf } from '../exit-code.js';
import { jsonText, print } from '../terminal/output.js';
import { asking, tellRecord } from './asking.js';
import { followed } from './followed.js';
import type { RunAddressArguments, ServerArguments } from './server-options.js';

export type WatchArguments = ServerArguments &
  RunAddressArguments & { readonly untilPaused?: boolean | undefined };

export async function watch(given: WatchArguments): Promise<number> {
  const { workflowId, runId, untilPaused = false, json } = given;
  const asLine = json === true ? (message: object) => print(jsonText(message, false)) : undefined;
  const record = await asking(given, (client, signal) =>
    followed({ client, workflowId, runId, signal, untilPaused, asLine }),
  );
  await tellRecord(record, given);
  return exitCodeOf(record.status);
}
