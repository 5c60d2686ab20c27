import type { ListRunsOptions, RunItem, RunOrigin, RunStatus } from 'flowgate-client';
import { LIST_PAGE } from '../../../engine/request-limits.js';
import { EXIT } from '../../exit-code.js';
import { asking } from '../server/asking.js';
import { pastInstant } from '../../input/instants.js';
import { labelsOf } from './labels.js';
import { checkedLimit, instantText, listed } from '../output/listed.js';
import { aboutRun, runColumns, statusOf, WIDE_RUN_COLUMNS } from '../output/run-columns.js';
import { askedFormat, type OutputArguments } from '../server/output-format.js';
import type { ServerArguments } from '../server/server-options.js';
import { watchedList } from '../output/watched-list.js';

export interface RunsArguments extends ServerArguments, OutputArguments {
  readonly workflow?: string | undefined;
  readonly status?: string | undefined;
  readonly label?: readonly string[] | undefined;
  readonly createdAfter?: string | undefined;
  readonly createdBefore?: string | undefined;
  readonly openGate?: boolean | undefined;
  readonly gateUnit?: string | undefined;
  readonly cancelled?: boolean | undefined;
  readonly origin?: string | undefined;
  readonly forkedFrom?: string | undefined;
  readonly parent?: string | undefined;
  readonly definition?: string | undefined;
  readonly id?: string | undefined;
  readonly limit: number;
  readonly watch?: boolean | undefined;
}

/** The largest page of the server. */
const MAX_PAGE = LIST_PAGE.most;
const HEADINGS = ['RUN', 'WORKFLOW', 'STATUS', 'CREATED', ''];

export async function runs(given: RunsArguments): Promise<number> {
  const limit = checkedLimit(given.limit);
  const filter = { ...filterOf(given), limit: Math.min(limit, MAX_PAGE) };
  await asking(given, (client, signal) =>
    given.watch === true
      ? watchedList({
          changes: client.watchRuns({ ...filter, signal }),
          headings: HEADINGS,
          rowOf,
          keyOf: ({ runId }) => runId,
          isJson: askedFormat(given) === 'json',
        })
      : listed({
          items: client.eachRun({ ...filter, signal }),
          headings: HEADINGS,
          rowOf,
          columns: runColumns(Date.now()),
          wide: WIDE_RUN_COLUMNS,
          limit,
          asked: given,
        }),
  );
  return EXIT.done;
}

function filterOf(given: RunsArguments): ListRunsOptions {
  const { workflow, status, label, createdAfter, createdBefore, openGate, gateUnit, cancelled } = given;
  return {
    workflowId: workflow,
    // The server checks which statuses exist.
    status: status?.split(',').map((one) => one.trim() as RunStatus),
    labels: labelsOf(label),
    createdAfter: pastInstant('created-after', createdAfter),
    createdBefore: pastInstant('created-before', createdBefore),
    openGate: openGate === true ? true : undefined,
    gateUnit,
    cancelled,
    origin: given.origin as RunOrigin | undefined,
    forkedFrom: given.forkedFrom,
    parent: given.parent,
    definitionHash: given.definition,
    idPrefix: given.id,
  };
}

function rowOf(run: RunItem): readonly string[] {
  return [run.runId, run.workflowId, statusOf(run), instantText(run.createdAt), aboutRun(run)];
}
