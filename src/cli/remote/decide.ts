import type { AnsweredOnce, FlowgateClient } from 'flowgate-client';
import { UsageError } from '../command-errors.js';
import { EXIT } from '../exit-code.js';
import { note } from '../terminal/output.js';
import { showRun } from './output/shown.js';
import { GateQuestion } from './gate-question.js';
import { asking } from './server/asking.js';
import type { OutputArguments } from './server/output-format.js';
import { runAddress } from './server/run-address.js';
import type { ServerArguments } from './server/server-options.js';

export type DecideArguments = ServerArguments &
  OutputArguments & {
    readonly workflowId?: string | undefined;
    readonly runId?: string | undefined;
    readonly gate?: number | undefined;
    readonly comment?: string | undefined;
    readonly until?: AnsweredOnce | undefined;
    readonly responder: string;
  };

interface ChosenGate {
  readonly workflowId: string;
  readonly runId: string;
  readonly gateId: number | undefined;
}

/** Decides at the gate that is named, or, without a run, at the one that is open. */
export async function decide(given: DecideArguments, approved: boolean): Promise<number> {
  const { gate, comment, responder, until: syncUntil } = given;
  if (gate !== undefined && !Number.isSafeInteger(gate))
    throw new UsageError('--gate must be the number of a gate, such as 6.');
  const question = new GateQuestion(process.stdin, process.stderr);
  const verb = approved ? 'approve' : 'reject';
  if (given.runId === undefined && !question.canAsk)
    throw new UsageError(
      `<runId> is missing: write flowgate ${verb} <runId>; flowgate gates lists the runs that wait.`,
    );
  if (given.runId === undefined && gate !== undefined) throw new UsageError('--gate is of one run: name it.');
  const record = await asking(given, async (client, signal) => {
    const chosen = await chosenGate(client, given, question, signal);
    if (chosen === null) return null;
    const { workflowId, runId, gateId } = chosen;
    return client.respondHITL(workflowId, runId, approved, responder, { signal, gateId, comment, syncUntil });
  });
  if (record === null) return EXIT.failed;
  await showRun(record, given);
  return EXIT.done;
}

/** Null: there is none, or none was chosen, and that was said. */
async function chosenGate(
  client: FlowgateClient,
  { workflowId, runId, gate }: DecideArguments,
  question: GateQuestion,
  signal: AbortSignal,
): Promise<ChosenGate | null> {
  if (runId !== undefined)
    return { ...(await runAddress(client, { workflowId, runId }, signal)), gateId: gate };
  const { items, open } = await client.listGates({ limit: GateQuestion.most, signal });
  if (items.length === 0) note('Nothing waits for a decision.');
  if (items.length === 0) return null;
  const chosen = await question.which(items, open, signal);
  if (chosen === null) note('Nothing was decided.');
  return chosen;
}
