import type { GateItem } from 'flowgate-client';
import { LIST_PAGE } from '../../engine/request-limits.js';
import { EXIT } from '../exit-code.js';
import { asking } from './server/asking.js';
import { checkedLimit, instantText, listed } from './output/listed.js';
import type { ServerArguments } from './server/server-options.js';
import { watchedList } from './output/watched-list.js';

export interface GatesArguments extends ServerArguments {
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
          json: given.json,
        })
      : listed({
          items: client.eachGate({ ...filter, signal }),
          headings: HEADINGS,
          rowOf,
          limit,
          json: given.json,
        }),
  );
  return EXIT.done;
}

function rowOf({
  workflowId,
  runId,
  gateId,
  unitId,
  openedAt,
  dueAt,
  title,
  decision,
}: GateItem): readonly string[] {
  const verdict = decision?.approved === true ? 'approved' : 'rejected';
  const about = decision === undefined ? title : `${verdict} by ${decision.responder}: ${title}`;
  const dueText = dueAt === undefined ? '' : instantText(dueAt);
  return [workflowId, runId, String(gateId), unitId, instantText(openedAt), dueText, about];
}
