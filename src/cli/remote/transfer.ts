import { open, rm } from 'node:fs/promises';
import { UsageError } from '../command-errors.js';
import { EXIT } from '../exit-code.js';
import { readBytes, reasonOf } from '../input/read-text.js';
import { written } from '../terminal/output.js';
import { showRun } from './output/shown.js';
import { asking, askingAbout } from './server/asking.js';
import type { OutputArguments } from './server/output-format.js';
import type { RunArguments, ServerArguments } from './server/server-options.js';

export type ExportArguments = ServerArguments & RunArguments & { readonly out?: string | undefined };

export interface ImportArguments extends ServerArguments, OutputArguments {
  readonly file: string;
}

/** The longest export that a server takes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Writes the export to stdout, or to a file, which exists as a whole or not at all. */
export async function exportRun(given: ExportArguments): Promise<number> {
  const { out } = given;
  if (out === '-')
    throw new UsageError('--out names a new file: leave it out, and the export goes to stdout.');
  await askingAbout(given, async (client, { workflowId, runId }, signal) => {
    const lines = client.exportRun(workflowId, runId, { signal });
    if (out === undefined) {
      for await (const line of lines) await written(process.stdout, line);
    } else {
      await writtenTo(out, lines);
    }
  });
  return EXIT.done;
}

export async function importRun(given: ImportArguments): Promise<number> {
  const ndjson = await readBytes(given.file, MAX_BYTES);
  const record = await asking(given, (client, signal) => client.importRun(ndjson, { signal }));
  await showRun(record, given);
  return EXIT.done;
}

/** Throws a `UsageError` for a file that already exists or cannot be written. */
async function writtenTo(path: string, lines: AsyncIterable<string>): Promise<void> {
  // An earlier export must not be lost because a name is given twice.
  const file = await open(path, 'wx').catch((error: unknown) => {
    throw new UsageError(`${path} cannot be written: ${reasonOf(error)}.`);
  });
  let isWhole = false;
  try {
    for await (const line of lines) await file.appendFile(line);
    isWhole = true;
  } finally {
    await file.close();
    if (!isWhole) await rm(path, { force: true });
  }
}
