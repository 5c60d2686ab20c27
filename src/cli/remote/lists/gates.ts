import type { GateItem } from 'flowgate-client';
import { LIST_PAGE } from '../../../engine/request-limits.js';
import { EXIT } from '../../exit-code.js';
import { asking } from '../server/asking.js';
import { ageText } from '../../terminal/age.js';
import type { Column } from '../../terminal/fitted-table.js';
import { checkedLimit, columnsOf, instantText, listed } from '../output/listed.js';
import { askedFormat, type OutputArguments } from '../server/output-format.js';
import { runEnding } from '../../tree/run-ending.js';
import type { ServerArguments } from '../server/server-options.js';
import { watchedList } from '../output/watched-list.js';

export interface GatesArguments extends ServerArguments, OutputArguments {
  readonly decided?: boolean | undefined;
  readonly workflow?: string | undefined;
  readonly limit: number;
  readonly watch?: boolean | undefined;
}

/** The largest page of the server. */
const MAX_PAGE = LIST_PAGE.most;
const HEADINGS = ['WORKFLOW', 'RUN', 'GATE', 'UNIT', 'OPENED', 'DUE', ''];

export async function gates(given: GatesArguments): Promise<number> {
  const limit = checkedLimit(given.limit);
  const status = given.decided === true ? ('decided' as const) : ('open' as const);
  const filter = { status, workflowId: given.workflow, limit: Math.min(limit, MAX_PAGE) };
  await asking(given, (client, signal) =>
    given.watch === true
      ? watchedList({
          changes: client.watchGates({ ...filter, signal }),
          headings: HEADINGS,
          rowOf,
          keyOf: ({ runId, gateId }) => `${runId} ${gateId ?? ''}`,
          isJson: askedFormat(given) === 'json',
        })
      : listed({
          items: client.eachGate({ ...filter, signal }),
          headings: HEADINGS,
          rowOf,
          columns: columnsAt(Date.now()),
          wide: columnsOf([...HEADINGS.slice(0, -1), 'TITLE'], rowOf, []),
          limit,
          asked: given,
        }),
  );
  return EXIT.done;
}

function rowOf(gate: GateItem): readonly string[] {
  const { workflowId, runId, gateId, unitId, openedAt, dueAt } = gate;
  const dueText = dueAt === undefined ? '' : instantText(dueAt);
  return [workflowId, runId, String(gateId), unitId, instantText(openedAt), dueText, titleOf(gate)];
}

function titleOf({ title, decision }: GateItem): string {
  const verdict = decision?.approved === true ? 'approved' : 'rejected';
  return decision === undefined ? title : `${verdict} by ${decision.responder}: ${title}`;
}

/** The columns of gates on a terminal; `now`: epoch ms. */
function columnsAt(now: number): readonly Column<GateItem>[] {
  return [
    { heading: 'RUN', cell: ({ runId }) => runEnding(runId) },
    { heading: 'GATE', cell: ({ gateId }) => String(gateId) },
    { heading: 'WORKFLOW', cell: ({ workflowId }) => workflowId, givesWay: true },
    { heading: 'UNIT', cell: ({ unitId }) => unitId, givesWay: true },
    { heading: 'AGE', cell: ({ openedAt }) => ageText(now - openedAt), tone: () => 'faint' },
    { heading: 'DUE', cell: ({ dueAt }) => (dueAt === undefined ? '' : instantText(dueAt)) },
    { heading: 'TITLE', cell: titleOf, givesWay: true },
  ];
}
