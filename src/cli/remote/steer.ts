import type { AnsweredOnce, RunBudget } from 'flowgate-client';
import { UsageError } from '../command-errors.js';
import { EXIT } from '../exit-code.js';
import { note } from '../terminal/output.js';
import { showRun, showValue } from './output/shown.js';
import { askingAbout } from './server/asking.js';
import { askedFormat, type OutputArguments } from './server/output-format.js';
import type { RunArguments, ServerArguments } from './server/server-options.js';

const MAX_COST = 1e15;

export type GetArguments = ServerArguments & OutputArguments & RunArguments;

export type ResumeArguments = GetArguments & {
  readonly snapshot?: string | undefined;
  readonly maxTokens?: number | undefined;
  readonly maxCost?: number | undefined;
  readonly until?: AnsweredOnce | undefined;
};

export type StopArguments = GetArguments & { readonly by: string };

/** The record as JSON also on a terminal: `describe` is for people. */
export async function get(given: GetArguments): Promise<number> {
  const record = await askingAbout(given, (client, { workflowId, runId }, signal) =>
    client.getRun(workflowId, runId, { signal }),
  );
  await (askedFormat(given) === null ? showValue : showRun)(record, given);
  return EXIT.done;
}

export async function resume(given: ResumeArguments): Promise<number> {
  const { snapshot, until: syncUntil } = given;
  const budget = budgetIn(given);
  const record = await askingAbout(given, (client, { workflowId, runId }, signal) =>
    client.resume(workflowId, runId, snapshot, { signal, budget, syncUntil }),
  );
  await showRun(record, given);
  return EXIT.done;
}

export async function stop(given: StopArguments, how: 'cancel' | 'pause' | 'compensate'): Promise<number> {
  const { by } = given;
  const record = await askingAbout(given, (client, { workflowId, runId }, signal) =>
    client[how](workflowId, runId, { signal, by }),
  );
  await showRun(record, given);
  const isOver = record.status === 'completed' || record.status === 'failed';
  if (how === 'cancel' && isOver && record.cancelled !== true)
    note(`Nothing was cancelled: the run is over (${record.status}).`);
  return EXIT.done;
}

function budgetIn({ maxTokens, maxCost }: ResumeArguments): RunBudget | undefined {
  if (maxTokens === undefined && maxCost === undefined) return undefined;
  if (maxTokens !== undefined && !(Number.isSafeInteger(maxTokens) && maxTokens >= 0))
    throw new UsageError('--max-tokens must be a whole number, such as 200000.');
  if (maxCost !== undefined && !(maxCost >= 0 && maxCost <= MAX_COST))
    throw new UsageError('--max-cost must be a number, such as 12.5.');
  return { maxTokens, maxCost };
}
