import type { ListRunsOptions, RunItem, RunOrigin, RunStatus } from 'flowgate-client';
import { LIST_PAGE } from '../../../engine/request-limits.js';
import { UsageError } from '../../command-errors.js';
import { EXIT } from '../../exit-code.js';
import { asking } from '../server/asking.js';
import { lengthIn } from '../../terminal/age.js';
import { labelsOf } from './labels.js';
import { checkedLimit, instantText, listed } from '../output/listed.js';
import { aboutRun, runColumns, statusOf, WIDE_RUN_COLUMNS } from '../output/run-columns.js';
import type { OutputArguments } from '../server/output-format.js';
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
          json: given.json,
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
    createdAfter: instantOf('created-after', createdAfter),
    createdBefore: instantOf('created-before', createdBefore),
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

/** Epoch ms, from a number, a date, or how long ago. */
function instantOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ago = lengthIn(text);
  if (ago !== null) return Date.now() - ago;
  const ms = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (!Number.isSafeInteger(ms))
    throw new UsageError(
      `--${name} must be a time such as 2026-11-01T00:00:00Z, epoch ms, or how long ago, such as 90m, 1h or 7d.`,
    );
  return ms;
}

function rowOf(run: RunItem): readonly string[] {
  return [run.runId, run.workflowId, statusOf(run), instantText(run.createdAt), aboutRun(run)];
}
