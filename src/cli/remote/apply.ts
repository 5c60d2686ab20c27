import {
  FlowgateApiError,
  FlowgateValidationError,
  type FlowgateClient,
  type UsesBindings,
} from 'flowgate-client';
import { UsageError } from '../command-errors.js';
import { EXIT } from '../exit-code.js';
import { bindingsFor } from '../input/bindings.js';
import { nameOf, readText } from '../input/read-text.js';
import { workflowFiles } from '../input/workflow-files.js';
import { Interruption } from '../terminal/interruption.js';
import { jsonText, note, print } from '../terminal/output.js';
import { paintFor } from '../terminal/paint.js';
import { oneLine } from '../terminal/printable.js';
import { aboutFile } from '../validate/human-report.js';
import { clientOf } from './server/client-of.js';
import type { ServerArguments } from './server/server-options.js';

export interface ApplyArguments extends ServerArguments {
  readonly files?: readonly string[] | undefined;
  readonly file?: readonly string[] | undefined;
  readonly bind?: readonly string[] | undefined;
}

interface Applied {
  readonly file: string;
  readonly ok: boolean;
  readonly workflowId: string | null;
  readonly error: string | null;
}

/** Registers the documents sequentially; one that has faults does not prevent the others from being registered. */
export async function apply(given: ApplyArguments): Promise<number> {
  const { files = [], file = [] } = given;
  const paths = [...files, ...file];
  if (paths.length === 0) throw new UsageError('Name what to register: flowgate apply hello.yaml');
  const client = clientOf(given);
  const interruption = new Interruption();
  const all: Applied[] = [];
  let isOver = false;
  try {
    for (const path of await workflowFiles(paths)) {
      const applied = await applyOne(client, path, given, interruption.signal);
      all.push(applied);
      if (given.json !== true && applied.ok)
        await print(`${oneLine(applied.file)}: registered ${oneLine(applied.workflowId ?? '')}`);
    }
    isOver = true;
  } finally {
    interruption.stop();
    // Whatever ends it in between, those before it are registered.
    if (given.json === true && (isOver || all.length > 0))
      await print(jsonText({ ok: isOver && areDone(all), files: all }, true));
  }
  return areDone(all) ? EXIT.done : EXIT.failed;
}

function areDone(all: readonly Applied[]): boolean {
  return all.every(({ ok }) => ok);
}

async function applyOne(
  client: FlowgateClient,
  path: string,
  { bind, json }: ApplyArguments,
  signal: AbortSignal,
): Promise<Applied> {
  const file = nameOf(path);
  const text = await readText(path, signal);
  const bindings = await bindingsFor(path, bind);
  try {
    // The client takes a single line for the name of a file if such a file exists.
    const source = text.includes('\n') ? text : `${text}\n`;
    // The server checks the content.
    const { workflowId } = await client.loadAndRegister(
      source,
      (bindings ?? undefined) as UsesBindings | undefined,
      {
        signal,
      },
    );
    return { file, ok: true, workflowId, error: null };
  } catch (error) {
    if (!(error instanceof FlowgateApiError)) throw error;
    if (json !== true) showRefusal(file, text, error);
    return { file, ok: false, workflowId: null, error: error.message };
  }
}

function showRefusal(file: string, text: string, error: FlowgateApiError): void {
  if (!(error instanceof FlowgateValidationError)) return note(`${file}: ${error.message}`);
  const found = { workflowId: null, warnings: [], warningDetails: [], unanswered: [], type: null };
  const lines = aboutFile({ ...found, file, faults: error.faults, text }, paintFor(process.stderr));
  process.stderr.write(`${lines.join('\n')}\n`);
}
