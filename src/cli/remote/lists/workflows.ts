import type { WorkflowItem } from 'flowgate-client';
import { EXIT } from '../../exit-code.js';
import { ageText } from '../../terminal/age.js';
import type { Column } from '../../terminal/fitted-table.js';
import { instantText, listed } from '../output/listed.js';
import { asking } from '../server/asking.js';
import type { OutputArguments } from '../server/output-format.js';
import type { ServerArguments } from '../server/server-options.js';

export type WorkflowsArguments = ServerArguments & OutputArguments;

/** Of a hash, enough to tell two versions apart. */
const SHORT_HASH = 12;
const HEADINGS = ['WORKFLOW', 'VERSION', 'REGISTERED', 'UNITS', 'FLOW', ''];

/** Lists the workflows that are registered. */
export async function workflows(given: WorkflowsArguments): Promise<number> {
  const found = await asking(given, (client, signal) => client.listWorkflows({ signal }));
  await listed({
    items: eachOf(found),
    headings: HEADINGS,
    rowOf,
    columns: columnsAt(Date.now()),
    wide: WIDE,
    limit: Infinity,
    asked: given,
  });
  return EXIT.done;
}

async function* eachOf(items: readonly WorkflowItem[]): AsyncGenerator<WorkflowItem> {
  yield* items;
}

function rowOf(item: WorkflowItem): readonly string[] {
  const { workflowId, definitionHash, registeredAt, units, flowType, description } = item;
  const version = definitionHash.slice(0, SHORT_HASH);
  return [workflowId, version, instantText(registeredAt), String(units.length), flowType, description ?? ''];
}

function columnsAt(now: number): readonly Column<WorkflowItem>[] {
  return [
    { heading: 'WORKFLOW', cell: ({ workflowId }) => workflowId, givesWay: true },
    { heading: 'VERSION', cell: ({ definitionHash }) => definitionHash.slice(0, SHORT_HASH) },
    { heading: 'AGE', cell: ({ registeredAt }) => ageText(now - registeredAt), tone: () => 'faint' },
    { heading: 'UNITS', cell: ({ units }) => String(units.length) },
    { heading: 'FLOW', cell: ({ flowType }) => flowType },
    { heading: 'LABELS', cell: labelsOf, givesWay: true },
    { heading: 'DESCRIPTION', cell: ({ description }) => description ?? '', givesWay: true },
  ];
}

const WIDE: readonly Column<WorkflowItem>[] = [
  { heading: 'WORKFLOW', cell: ({ workflowId }) => workflowId },
  { heading: 'VERSION', cell: ({ definitionHash }) => definitionHash },
  { heading: 'REGISTERED', cell: ({ registeredAt }) => instantText(registeredAt) },
  { heading: 'UNITS', cell: ({ units }) => units.join(' ') },
  { heading: 'FLOW', cell: ({ flowType }) => flowType },
  { heading: 'LABELS', cell: labelsOf },
  { heading: 'DESCRIPTION', cell: ({ description }) => description ?? '' },
];

function labelsOf({ labels }: WorkflowItem): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}:${value}`)
    .join(' ');
}
