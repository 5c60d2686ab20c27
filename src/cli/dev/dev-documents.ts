import {
  FlowgateApiError,
  FlowgateValidationError,
  type FlowgateClient,
  type UsesBindings,
} from 'flowgate-client';
import type { Engine } from '../../engine/index.js';
import { UsageError } from '../command-errors.js';
import { inCommandWords } from '../command-words.js';
import { bindingsFor } from '../input/bindings.js';
import { readText } from '../input/read-text.js';
import { paintFor } from '../terminal/paint.js';
import { oneLine } from '../terminal/printable.js';
import { checkedFile, type CheckedFile } from '../validate/checked-file.js';
import { aboutFile } from '../validate/human-report.js';
import type { DevUnits } from './dev-units.js';

export interface Registering {
  /** Checks a document before it is sent. */
  readonly engine: Engine;
  readonly client: FlowgateClient;
  readonly units: DevUnits;
  readonly signal: AbortSignal;
}

export interface RegisteredDocument {
  /** Null: it has faults, and the server keeps the last version that had none. */
  readonly workflowId: string | null;
  /** For people: what was registered, or each fault at its line. */
  readonly lines: readonly string[];
}

/** Registers a document, with its bindings, and the units of the folder that it uses. */
export async function registerDocument(file: string, given: Registering): Promise<RegisteredDocument> {
  try {
    const checked = await checkedFile(given.engine, file, undefined);
    return checked.workflowId === null ? refused(checked) : await registered(file, checked, given);
  } catch (error) {
    if (error instanceof FlowgateValidationError)
      return refused(checkedAs(file, error, await readText(file)));
    // A file that went, or bindings that are no JSON, are as good as a fault while somebody writes.
    if (!(error instanceof FlowgateApiError) && !(error instanceof UsageError)) throw error;
    return { workflowId: null, lines: [`${oneLine(file)}: ${inCommandWords(error.message)}`] };
  }
}

async function registered(
  file: string,
  checked: CheckedFile,
  { client, units, signal }: Registering,
): Promise<RegisteredDocument> {
  const beside = (await bindingsFor(file)) ?? {};
  const ours = [...Object.keys(beside), ...checked.unanswered].flatMap((name) => {
    const endpoint = units.endpointOf(name);
    return endpoint === null ? [] : [[name, { type: 'http', endpoint }] as const];
  });
  const bindings = { ...beside, ...Object.fromEntries(ours) } as UsesBindings;
  const text = await readText(file);
  // The client takes a single line for the name of a file.
  const { workflowId } = await client.loadAndRegister(`${text}\n`, bindings, { signal });
  const warnings = checked.warningDetails.map(({ line, column, message }) => {
    const at = line === null ? '' : ` at ${line}:${column}`;
    return `  warning${at}: ${oneLine(message, 2_000)}`;
  });
  return { workflowId, lines: [`${oneLine(file)}: registered ${oneLine(workflowId)}`, ...warnings] };
}

function refused(checked: CheckedFile): RegisteredDocument {
  return { workflowId: null, lines: aboutFile(checked, paintFor(process.stderr)) };
}

function checkedAs(file: string, { faults }: FlowgateValidationError, text: string): CheckedFile {
  const found = { workflowId: null, warnings: [], warningDetails: [], unanswered: [], type: null };
  return { ...found, file, faults, text };
}
