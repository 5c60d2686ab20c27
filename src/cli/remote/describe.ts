import type { WorkflowVersionDetails } from 'flowgate-client';
import { UsageError } from '../command-errors.js';
import { EXIT } from '../exit-code.js';
import { isForPeople } from '../terminal/for-people.js';
import { print } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';
import { shellWords } from '../terminal/shell-words.js';
import { instantText } from './output/listed.js';
import { showRun, showValue } from './output/shown.js';
import { asking, askingAbout } from './server/asking.js';
import { askedFormat, type OutputArguments } from './server/output-format.js';
import { namesRun } from './server/run-words.js';
import type { ServerArguments } from './server/server-options.js';

/** `<workflowId>`, `<runId>`, or both. */
export type DescribeArguments = ServerArguments &
  OutputArguments & { readonly workflowId: string; readonly runId?: string | undefined };

/** All that is known of a run, and where it failed; or of a workflow, where the one word is no run. */
export async function describe(given: DescribeArguments): Promise<number> {
  const { workflowId, runId } = given;
  if (runId === undefined && !namesRun(workflowId)) return describeWorkflow(given);
  const named = runId === undefined ? { runId: workflowId, workflowId: undefined } : { workflowId, runId };
  const record = await askingAbout({ ...given, ...named }, (client, run, signal) =>
    client.getRun(run.workflowId, run.runId, { view: 'full', signal }),
  );
  await showRun(record, given);
  return EXIT.done;
}

async function describeWorkflow(given: DescribeArguments): Promise<number> {
  const { workflowId } = given;
  if (workflowId === '') throw new UsageError('The name is empty: name a workflow or a run.');
  const details = await asking(given, (client, signal) => client.getWorkflow(workflowId, { signal }));
  const format = askedFormat(given) ?? (isForPeople(process.stdout) ? 'table' : null);
  if (format === 'table' || format === 'wide')
    await print(workflowLines(details, format === 'wide').join('\n'));
  else await showValue(details, given);
  return EXIT.done;
}

/** A workflow in a few lines; with `isWide` also what it takes and where its units are. */
function workflowLines(details: WorkflowVersionDetails, isWide: boolean): readonly string[] {
  const { workflowId, description, labels, definitionHash, registeredAt, units, flowType } = details;
  const labelText = Object.entries(labels)
    .map(([name, value]) => `${name}:${value}`)
    .join(' ');
  const rows: readonly (readonly [string, string])[] = [
    ['workflow', workflowId],
    ['about', description ?? ''],
    ['version', definitionHash],
    ['registered', instantText(registeredAt)],
    ['labels', labelText],
    ['flow', flowType],
    ['units', units.join(', ')],
    ['bound', details.bindings.map(({ uses, origin }) => `${uses} to ${origin}`).join(', ')],
    ['input', isWide && details.inputSchema !== null ? JSON.stringify(details.inputSchema) : ''],
    ['next', shellWords(['flowgate', 'start', workflowId])],
  ];
  return rows
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${`${name}:`.padEnd(12)}${oneLine(text, isWide ? 10_000 : 500)}`);
}
