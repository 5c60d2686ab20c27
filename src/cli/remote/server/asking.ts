import type { FlowgateClient } from 'flowgate-client';
import { UsageError } from '../../command-errors.js';
import { Interruption } from '../../terminal/interruption.js';
import { jsonText, print, record as printRecord } from '../../terminal/output.js';
import { clientOf } from './client-of.js';
import type { ServerArguments } from './server-options.js';

/** Calls the server; Ctrl-C aborts the call. */
export async function asking<T>(
  server: ServerArguments,
  ask: (client: FlowgateClient, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const client = clientOf(server);
  const interruption = new Interruption();
  try {
    return await ask(client, interruption.signal);
  } catch (error) {
    // The client throws a `TypeError` for an argument that it cannot send.
    throw error instanceof TypeError ? new UsageError(`${error.message}.`) : error;
  } finally {
    interruption.stop();
  }
}

/** Prints the server's response; on a terminal, over several lines. */
export function showRecord(record: object, { json }: ServerArguments): Promise<void> {
  return json === true ? print(jsonText(record, false)) : printRecord(record, false);
}
