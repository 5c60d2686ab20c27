import { UsageError } from '../command-errors.js';
import { EXIT } from '../exit-code.js';
import { asking, tellRecord } from './asking.js';
import type { RunAddressArguments, ServerArguments } from './server-options.js';

export type GetArguments = ServerArguments & RunAddressArguments;

export type ResumeArguments = GetArguments & { readonly snapshot?: string | undefined };

export type DecideArguments = GetArguments & {
  readonly gate?: number | undefined;
  readonly comment?: string | undefined;
  readonly responder: string;
};

export async function get(given: GetArguments): Promise<number> {
  const { workflowId, runId } = given;
  const record = await asking(given, (client, signal) => client.getRun(workflowId, runId, { signal }));
  await tellRecord(record, given);
  return EXIT.done;
}

export async function resume(given: ResumeArguments): Promise<number> {
  const { workflowId, runId, snapshot } = given;
  const record = await asking(given, (client, signal) =>
    client.resume(workflowId, runId, snapshot, { signal }),
  );
  await tellRecord(record, given);
  return EXIT.done;
}

export async function decide(given: DecideArguments, approved: boolean): Promise<number> {
  const { workflowId, runId, gate: gateId, comment, responder } = given;
  if (gateId !== undefined && !Number.isSafeInteger(gateId))
    throw new UsageError('--gate must be the number of a gate, such as 6.');
  const record = await asking(given, (client, signal) =>
    client.respondHITL(workflowId, runId, approved, responder, { signal, gateId, comment }),
  );
  await tellRecord(record, given);
  return EXIT.done;
}
