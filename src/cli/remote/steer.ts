import type { AnsweredOnce, RunBudget } from 'flowgate-client';
import { UsageError } from '../command-errors.js';
import { EXIT } from '../exit-code.js';
import { asking, showRecord } from './server/asking.js';
import type { RunAddressArguments, ServerArguments } from './server/server-options.js';

const MAX_COST = 1e15;

export type GetArguments = ServerArguments & RunAddressArguments;

export type ResumeArguments = GetArguments & {
  readonly snapshot?: string | undefined;
  readonly maxTokens?: number | undefined;
  readonly maxCost?: number | undefined;
  readonly until?: AnsweredOnce | undefined;
};

export type StopArguments = GetArguments & { readonly by: string };

export type DecideArguments = GetArguments & {
  readonly gate?: number | undefined;
  readonly comment?: string | undefined;
  readonly until?: AnsweredOnce | undefined;
  readonly responder: string;
};

export async function get(given: GetArguments): Promise<number> {
  const { workflowId, runId } = given;
  const record = await asking(given, (client, signal) => client.getRun(workflowId, runId, { signal }));
  await showRecord(record, given);
  return EXIT.done;
}

/** The record with all that is known of the run, and where it failed. */
export async function describe(given: GetArguments): Promise<number> {
  const { workflowId, runId } = given;
  const record = await asking(given, (client, signal) =>
    client.getRun(workflowId, runId, { view: 'full', signal }),
  );
  await showRecord(record, given);
  return EXIT.done;
}

export async function resume(given: ResumeArguments): Promise<number> {
  const { workflowId, runId, snapshot, until: syncUntil } = given;
  const budget = budgetIn(given);
  const record = await asking(given, (client, signal) =>
    client.resume(workflowId, runId, snapshot, { signal, budget, syncUntil }),
  );
  await showRecord(record, given);
  return EXIT.done;
}

export async function stop(given: StopArguments, how: 'cancel' | 'pause' | 'compensate'): Promise<number> {
  const { workflowId, runId, by } = given;
  const record = await asking(given, (client, signal) => client[how](workflowId, runId, { signal, by }));
  await showRecord(record, given);
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

export async function decide(given: DecideArguments, approved: boolean): Promise<number> {
  const { workflowId, runId, gate: gateId, comment, responder, until: syncUntil } = given;
  if (gateId !== undefined && !Number.isSafeInteger(gateId))
    throw new UsageError('--gate must be the number of a gate, such as 6.');
  const record = await asking(given, (client, signal) =>
    client.respondHITL(workflowId, runId, approved, responder, { signal, gateId, comment, syncUntil }),
  );
  await showRecord(record, given);
  return EXIT.done;
}
