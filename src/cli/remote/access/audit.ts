import type { AuditItem } from 'flowgate-client';
import { LIST_PAGE } from '../../../engine/request-limits.js';
import { EXIT } from '../../exit-code.js';
import { pastInstant } from '../../input/instants.js';
import { ageText } from '../../terminal/age.js';
import type { Column } from '../../terminal/fitted-table.js';
import { checkedLimit, columnsOf, instantText, listed } from '../output/listed.js';
import { asking } from '../server/asking.js';
import type { OutputArguments } from '../server/output-format.js';
import { runEnding } from '../../tree/run-ending.js';
import type { ServerArguments } from '../server/server-options.js';

export interface AuditArguments extends ServerArguments, OutputArguments {
  readonly owner?: string | undefined;
  readonly action?: string | undefined;
  readonly run?: string | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

const HEADINGS = ['AT', 'WHO', 'ACTION', 'WORKFLOW', 'RUN', 'SUBJECT', 'TARGET', ''];

/** Lists who did what, newest first. */
export async function audit(given: AuditArguments): Promise<number> {
  const limit = checkedLimit(given.limit);
  const filter = {
    owner: given.owner,
    // The server checks which actions exist.
    action: given.action,
    runId: given.run,
    after: pastInstant('after', given.after),
    before: pastInstant('before', given.before),
    limit: Math.min(limit, LIST_PAGE.most),
  };
  await asking(given, (client, signal) =>
    listed({
      items: client.eachAct({ ...filter, signal }),
      headings: HEADINGS,
      rowOf,
      columns: columnsAt(Date.now()),
      wide: columnsOf([...HEADINGS.slice(0, -1), 'FACTS'], rowOf, []),
      limit,
      asked: given,
    }),
  );
  return EXIT.done;
}

function rowOf(act: AuditItem): readonly string[] {
  const { at, action, workflowId, runId, subject, target } = act;
  const what = [workflowId, runId, subject, target].map((one) => one ?? '');
  return [instantText(at), whoOf(act), action, ...what, factsOf(act)];
}

/** The columns of acts on a terminal; `now`: epoch ms. */
function columnsAt(now: number): readonly Column<AuditItem>[] {
  return [
    { heading: 'AGE', cell: ({ at }) => ageText(now - at), tone: () => 'faint' },
    { heading: 'WHO', cell: whoOf, givesWay: true },
    { heading: 'ACTION', cell: ({ action }) => action },
    { heading: 'WORKFLOW', cell: ({ workflowId }) => workflowId ?? '', givesWay: true },
    { heading: 'RUN', cell: ({ runId }) => (runId === null ? '' : runEnding(runId)) },
    { heading: 'SUBJECT', cell: ({ subject }) => subject ?? '', givesWay: true },
    { heading: 'TARGET', cell: ({ target }) => target ?? '', givesWay: true },
    { heading: 'FACTS', cell: factsOf, givesWay: true },
  ];
}

/** The account; of a name that was only claimed, the name. */
function whoOf({ by }: AuditItem): string {
  return by === null ? '' : (by.owner ?? by.id);
}

function factsOf({ facts }: AuditItem): string {
  return Object.entries(facts)
    .map(([name, value]) => `${name}:${String(value)}`)
    .join(' ');
}
