import type { FlowgateClient, WorkflowDiff, WorkflowVersion } from 'flowgate-client';
import { LIST_PAGE } from '../../engine/request-limits.js';
import { EXIT } from '../exit-code.js';
import { jsonText, note, print } from '../terminal/output.js';
import { paintFor, type Paint } from '../terminal/paint.js';
import { printable } from '../terminal/printable.js';
import { asking } from './server/asking.js';
import { checkedLimit, columnsOf, instantText, listed } from './output/listed.js';
import { yamlText } from '../terminal/yaml-text.js';
import { askedFormat, type OutputArguments } from './server/output-format.js';
import type { ServerArguments } from './server/server-options.js';

export interface VersionsArguments extends ServerArguments, OutputArguments {
  readonly workflowId: string;
  readonly hash?: string | undefined;
  readonly limit: number;
}

export interface DiffArguments extends ServerArguments {
  readonly workflowId: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface RemoveArguments extends ServerArguments {
  readonly workflowId: string;
}

/** The largest page of the server. */
const MAX_PAGE = LIST_PAGE.most;
const HEADINGS = ['VERSION', 'REGISTERED', ''];

/** Lists the versions of a workflow, or prints the document of one. */
export async function versions(given: VersionsArguments): Promise<number> {
  const { workflowId, hash } = given;
  if (hash !== undefined) {
    const version = await asking(given, (client, signal) => client.getWorkflow(workflowId, { hash, signal }));
    const format = askedFormat(given);
    if (format === 'json') await print(jsonText(version, false));
    else if (format === 'yaml') await print(await yamlText(version));
    else await print(printable(version.yaml).trimEnd());
    return EXIT.done;
  }
  const limit = checkedLimit(given.limit);
  await asking(given, (client, signal) =>
    listed({
      items: client.eachVersion(workflowId, { limit: Math.min(limit, MAX_PAGE), signal }),
      headings: HEADINGS,
      rowOf,
      columns: columnsOf(HEADINGS, rowOf, []),
      limit,
      asked: given,
    }),
  );
  return EXIT.done;
}

function rowOf({ definitionHash, registeredAt, current }: WorkflowVersion): readonly string[] {
  return [definitionHash, instantText(registeredAt), current ? 'current' : ''];
}

/** Unregisters a workflow. */
export async function remove(given: RemoveArguments): Promise<number> {
  const { workflowId } = given;
  await asking(given, (client, signal) => client.deleteWorkflow(workflowId, { signal }));
  note(`${workflowId} is not registered any more: its runs go on, and their versions stay.`);
  return EXIT.done;
}

/** Shows what differs between two versions; without names, between the newest one and the one before it. */
export async function diff(given: DiffArguments): Promise<number> {
  const { workflowId, json } = given;
  const found = await asking(given, async (client, signal) => {
    const hashes = await hashesOf(client, given, signal);
    return hashes === null ? null : client.diffVersions(workflowId, hashes.from, hashes.to, { signal });
  });
  if (found === null) {
    note(`${workflowId} has one version alone: there is nothing to compare it with.`);
    return EXIT.failed;
  }
  if (json === true) await print(jsonText(found, false));
  else await show(found);
  return EXIT.done;
}

/** Null: there is nothing to compare. */
async function hashesOf(
  client: FlowgateClient,
  { workflowId, from, to }: DiffArguments,
  signal: AbortSignal,
): Promise<{ readonly from: string; readonly to: string } | null> {
  if (from !== undefined && to !== undefined) return { from, to };
  const { items } = await client.listVersions(workflowId, { limit: MAX_PAGE, signal });
  const current = items.find((version) => version.current) ?? items[0];
  const before = items.find((version) => version !== current);
  const [one, other] = [from ?? before?.definitionHash, to ?? current?.definitionHash];
  return one === undefined || other === undefined ? null : { from: one, to: other };
}

async function show({ text, units }: WorkflowDiff): Promise<void> {
  const paint = paintFor(process.stdout);
  const lines = printable(text).trimEnd().split('\n');
  if (text !== '') await print(lines.map((line) => painted(line, paint)).join('\n'));
  for (const [name, ids] of Object.entries(units)) {
    if (ids.length > 0) note(`Units ${name}: ${ids.join(', ')}`);
  }
}

function painted(line: string, paint: Paint): string {
  if (/^(?:---|\+\+\+)/.test(line)) return paint('bold', line);
  if (line.startsWith('+')) return paint('green', line);
  if (line.startsWith('-')) return paint('red', line);
  return line.startsWith('@@') ? paint('cyan', line) : line;
}
