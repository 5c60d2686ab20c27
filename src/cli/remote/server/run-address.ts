import type { FlowgateClient, RunItem } from 'flowgate-client';
import { LIST_PAGE } from '../../../engine/request-limits.js';
import { UsageError } from '../../command-errors.js';
import { ageText } from '../../terminal/age.js';
import { oneLine } from '../../terminal/printable.js';
import { isRunEnding, namesRun } from './run-words.js';

/** How many of the newest runs are looked through for an ending. */
const MAX_SEARCHED = 1_000;
/** The most runs that an ambiguous ending lists. */
const MAX_LISTED = 20;

export interface RunAddress {
  readonly workflowId: string;
  readonly runId: string;
}

/** A run as somebody names it: its id is enough, or the end of it. */
export interface NamedRun {
  readonly workflowId?: string | undefined;
  readonly runId: string;
}

type Finding = Pick<FlowgateClient, 'eachRun' | 'getRunById'>;

/**
 * The run that is named. The last eight characters of its id suffice where they name one of the newest 1,000 runs; the first
 * ones are a time, and alike. Throws a `UsageError` where several end so,
 * and for one word that can be no run, such as a workflow whose run was forgotten.
 */
export async function runAddress(client: Finding, named: NamedRun, signal: AbortSignal): Promise<RunAddress> {
  const { workflowId, runId } = named;
  if (workflowId === undefined && !namesRun(runId))
    throw new UsageError(
      `${oneLine(runId, 60)} is no id of a run: write the whole id, or its last 8 characters; flowgate runs lists runs.`,
    );
  if (isRunEnding(runId)) {
    const found = await endingWith(client, named, signal);
    const [only] = found;
    if (found.length > 1) throw new UsageError(ambiguous(runId, found, Date.now()));
    if (only !== undefined) return { workflowId: only.workflowId, runId: only.runId };
  }
  if (workflowId !== undefined) return { workflowId, runId };
  const record = await client.getRunById(runId, { signal });
  return { workflowId: record.workflowId, runId: record.runId };
}

async function endingWith(client: Finding, { workflowId, runId }: NamedRun, signal: AbortSignal) {
  const ending = runId.toLowerCase();
  const found: RunItem[] = [];
  let searched = 0;
  for await (const item of client.eachRun({ workflowId, limit: LIST_PAGE.most, signal })) {
    if (item.runId.toLowerCase().endsWith(ending)) found.push(item);
    searched += 1;
    if (searched === MAX_SEARCHED) break;
  }
  return found;
}

function ambiguous(ending: string, found: readonly RunItem[], now: number): string {
  const lines = found
    .slice(0, MAX_LISTED)
    .map(
      ({ runId, workflowId, status, createdAt }) =>
        `  ${oneLine(runId)}  ${oneLine(workflowId, 40)}  ${status}  ${ageText(now - createdAt)} ago`,
    );
  return `${found.length} runs end with ${ending}: name one of them by its whole id.\n${lines.join('\n')}`;
}
