import { isDeepStrictEqual } from 'node:util';
import type { RunRecord } from '../../../src/engine/index.js';
import { ITEMS } from './crash-workflows.js';
import type { ExecutionLedger, UnitResult } from './execution-ledger.js';
import type { Acknowledged, PersistentClient } from './persistent-client.js';
import type { DrivenRun } from './run-driver.js';
import type { Message } from './run-history.js';

/** What is wrong with a run whose client saw it end; read from the service as it is now. Empty: nothing. */
export async function faultsOf(
  run: DrivenRun,
  client: PersistentClient,
  ledger: ExecutionLedger,
): Promise<readonly string[]> {
  const path = `/workflows/${run.workflow.id}/runs/${run.runId}`;
  const { status, body: record } = await client.get(path);
  if (status !== 200) return [`${path}: it was acknowledged, and is not there (${status}).`];
  const messages = await allMessages(client, path);
  const { snapshots = [] } = (await client.get(`${path}/snapshots`)).body;
  const faults = [
    ...endFaults(run, record as RunRecord, ledger),
    ...decisionFaults(run, messages),
    ...rewindFaults(run, messages),
    ...pauseFaults(run, snapshots),
    ...startFaults(run, ledger),
    ...executionFaults(run, ledger),
  ];
  return faults.map((fault) => `${path}: ${fault}`);
}

async function allMessages(client: PersistentClient, path: string): Promise<readonly Message[]> {
  const messages: Message[] = [];
  for (let next: number | null = 0; next !== null;) {
    const { body }: Acknowledged = await client.get(`${path}/messages?afterSeq=${next}&limit=100`);
    messages.push(...(body.messages ?? []));
    next = body.next ?? null;
  }
  return messages;
}

function endFaults(run: DrivenRun, record: RunRecord, ledger: ExecutionLedger): string[] {
  if (!isDeepStrictEqual(record, run.last)) {
    return [`it ended as ${JSON.stringify(run.last)} and is ${JSON.stringify(record)}.`];
  }
  if (record.status !== 'completed') return [];
  const { workflow } = run;
  const { state, completedUnits = [] } = record.result ?? {};
  const faults: string[] = [];
  if (workflow.isSequence && !isDeepStrictEqual(completedUnits, workflow.unitIds)) {
    faults.push(`it completed ${completedUnits.join(', ')}.`);
  }
  if (!isDeepStrictEqual([...completedUnits].sort(), [...workflow.unitIds].sort())) {
    faults.push(`of ${workflow.unitIds.join(', ')} it completed ${completedUnits.join(', ')}.`);
  }
  for (const unitId of workflow.remoteIds) {
    faults.push(...outputFaults(run, unitId, state as Readonly<Record<string, unknown>>, ledger));
  }
  const collected = state?.['collected'] as readonly unknown[] | undefined;
  if (collected !== undefined && collected.length !== ITEMS.length)
    faults.push(`it collected ${collected.length} outputs.`);
  return faults;
}

/** The output must be the result of a call of this very unit, which was given what the units before it made. */
function outputFaults(
  { workflow, runId }: DrivenRun,
  unitId: string,
  state: Readonly<Record<string, unknown>>,
  ledger: ExecutionLedger,
): string[] {
  const output = state[`output.${unitId}`] as UnitResult | undefined;
  const execution = output && ledger.get(output.executionKey);
  if (output === undefined || execution === undefined)
    return [`${unitId} has the output ${JSON.stringify(output)}.`];
  const { context, state: given } = execution.body;
  if (
    context.unitId !== unitId ||
    context.runId !== runId ||
    execution.calls[output.call - 1]?.reply !== 'result'
  ) {
    return [`${unitId} has an output that it did not give: ${JSON.stringify(output)}.`];
  }
  if (!workflow.isSequence) return [];
  const before = workflow.unitIds.slice(0, workflow.unitIds.indexOf(unitId)).map((id) => `output.${id}`);
  return before
    .filter((key) => !isDeepStrictEqual(given[key], state[key]))
    .map(
      (key) =>
        `${unitId} was given ${JSON.stringify(given[key])} as ${key}, which is ${JSON.stringify(state[key])}.`,
    );
}

/** Every acknowledged decision stands as it was given, once; none that nobody made is there. */
function decisionFaults({ decisions }: DrivenRun, messages: readonly Message[]): string[] {
  const responses = messages.filter(({ type }) => type === 'hitl-response');
  const faults: string[] = [];
  for (const { gateId, approved, responder, isAcknowledged } of decisions) {
    const own = responses.filter((response) => response['responder'] === responder);
    const isAsGiven = own.length === 1 && own[0]?.['gateId'] === gateId && own[0]['approved'] === approved;
    if (isAsGiven || (!isAcknowledged && own.length === 0)) continue;
    faults.push(`gate ${gateId}: ${responder} said ${approved}, on record is ${JSON.stringify(own)}.`);
  }
  const made = new Set(decisions.map(({ responder }) => responder));
  for (const response of responses) {
    if (!made.has(response['responder'] as string))
      faults.push(`nobody decided ${JSON.stringify(response)}.`);
  }
  const gates = responses.map(({ gateId }) => gateId);
  if (new Set(gates).size !== gates.length) faults.push(`a gate was decided twice: ${gates.join(', ')}.`);
  return faults;
}

/** Every acknowledged rewind happened once; the others at most once. */
function rewindFaults({ rewinds }: DrivenRun, messages: readonly Message[]): string[] {
  const happened = messages.filter(({ type }) => type === 'rewound').map(({ snapshotId }) => snapshotId);
  return [...new Set([...happened, ...rewinds.map(({ snapshotId }) => snapshotId)])].flatMap((snapshotId) => {
    const asked = rewinds.filter((rewind) => rewind.snapshotId === snapshotId);
    const least = asked.filter(({ isAcknowledged }) => isAcknowledged).length;
    const times = happened.filter((id) => id === snapshotId).length;
    if (times >= least && times <= asked.length) return [];
    return [
      `it went back to ${String(snapshotId)} ${times} times, acknowledged were ${least} of ${asked.length}.`,
    ];
  });
}

/** One request lifts one pause where pauses come one after another, however often it was sent. */
function pauseFaults(
  { workflow, resumes, rewinds }: DrivenRun,
  snapshots: readonly { readonly after: string }[],
) {
  if (!workflow.isSequence || rewinds.length > 0) return [];
  const pauses = snapshots.filter(({ after }) => after === 'paused').length;
  return pauses <= resumes ? [] : [`${pauses} pauses were lifted by ${resumes} requests.`];
}

function startFaults({ token, runId }: DrivenRun, ledger: ExecutionLedger): string[] {
  const others = ledger.runsOf(token).filter((id) => id !== runId);
  return others.map((id) => `its start made a second run, ${id}.`);
}

/** A crash or a retry makes no execution: only the flow and the rewinds do. */
function executionFaults({ workflow, runId, rewinds }: DrivenRun, ledger: ExecutionLedger): string[] {
  return workflow.remoteIds.flatMap((unitId) => {
    const most = (workflow.executions[unitId] ?? 1) * (1 + rewinds.length);
    const executions = ledger.executionsOf({ runId, unitId });
    return executions <= most
      ? []
      : [`${unitId} had ${executions} keys, and should have had at most ${most}.`];
  });
}
