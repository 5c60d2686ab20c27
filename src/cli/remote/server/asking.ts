import type { FlowgateClient } from 'flowgate-client';
import { UsageError } from '../../command-errors.js';
import { inCommandWords } from '../../command-words.js';
import { Interruption } from '../../terminal/interruption.js';
import { clientOf } from './client-of.js';
import { runAddress, type NamedRun, type RunAddress } from './run-address.js';
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
    throw error instanceof TypeError ? new UsageError(`${inCommandWords(error.message)}.`) : error;
  } finally {
    interruption.stop();
  }
}

/** As `asking`, about the run that is named. */
export function askingAbout<T>(
  given: ServerArguments & NamedRun,
  ask: (client: FlowgateClient, run: RunAddress, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return asking(given, async (client, signal) =>
    ask(client, await runAddress(client, given, signal), signal),
  );
}
