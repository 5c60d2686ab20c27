import type { FullRunRecord, RunRecord } from 'flowgate-client';
import { nextSteps } from '../../run/next-steps.js';
import { summaryLines } from '../../run/run-summary.js';
import { isForPeople } from '../../terminal/for-people.js';
import { jsonText, print, record as printRecord } from '../../terminal/output.js';
import { paintFor } from '../../terminal/paint.js';
import { yamlText } from '../../terminal/yaml-text.js';
import { asking } from '../server/asking.js';
import { askedFormat, type OutputArguments } from '../server/output-format.js';
import type { ServerArguments } from '../server/server-options.js';
import { nextCommand } from './next-command.js';

type Given = ServerArguments & OutputArguments;

/** Prints what the server answered: JSON on one line in a pipe, over several on a terminal, or as it was asked for. */
export async function showValue(value: object, given: Given): Promise<void> {
  const format = askedFormat(given);
  if (format === 'json') await print(jsonText(value, false));
  else if (format === 'yaml') await print(await yamlText(value));
  else await printRecord(value, false);
}

/** As `showValue`; who sits at a terminal, or asks for a table, gets a few lines with the next commands instead. */
export async function showRun(record: RunRecord, given: Given): Promise<void> {
  const format = askedFormat(given) ?? (isForPeople(process.stdout) ? 'table' : null);
  if (format !== 'table' && format !== 'wide') return showValue(record, given);
  const { workflowId, runId } = record;
  const full = isFull(record)
    ? record
    : await asking(given, (client, signal) => client.getRun(workflowId, runId, { view: 'full', signal }));
  const lines = summaryLines(full, nextSteps(full), {
    paint: paintFor(process.stdout),
    isWide: format === 'wide',
    commandFor: nextCommand(given, runId),
  });
  await print(lines.join('\n'));
}

function isFull(record: RunRecord): record is FullRunRecord {
  return 'waits' in record;
}
