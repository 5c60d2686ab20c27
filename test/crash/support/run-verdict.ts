import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { RunRecord } from '../../../src/engine/index.js';
import { CRASH_WORKFLOWS, ITEMS, type CrashWorkflow } from './crash-workflows.js';
import type { ExecutionLedger, UnitResult } from './execution-ledger.js';
import { TOKENS } from './ledger-units.js';
import type { Acknowledged, PersistentClient } from './persistent-client.js';
import type { DrivenRun } from './run-driver.js';
import type { LogEvent, Message } from './run-history.js';

/** The faults of a run whose client saw it end; read from the service as it is now. */
export async function faultsOf(
  run: DrivenRun,
  client: PersistentClient,
  ledger: ExecutionLedger,
): Promise<readonly string[]> {
  const path = `/workflows/${run.workflow.id}/runs/${run.runId}`;
  const { status, body: record } = await client.get(path);
  if (status !== 200) return [`${path}: it was acknowledged, and is not there (${status}).`];
  const messages = await allMessages(client, path);
  const children = await childrenOf(client, messages);
  const log = await allOfLog(client, path);
  const faults = [
    ...endFaults(run, record as RunRecord, ledger),
    ...decisionFaults(run, messages),
    ...stopFaults(run, record as RunRecord, messages, ledger),
    ...childFaults(run, record as RunRecord, children, ledger),
    ...rewindFaults(run, messages),
    ...pauseFaults(run, log),
    ...startFaults(run, children, ledger),
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

async function allOfLog(client: PersistentClient, path: string): Promise<readonly LogEvent[]> {
  const events: LogEvent[] = [];
  for (let next: number | null = 0; next !== null;) {
    const { body }: Acknowledged = await client.get(`${path}/events?view=log&afterSeq=${next}&limit=1000`);
    events.push(...(body.items ?? []));
    next = body.next ?? null;
  }
  return events;
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
  faults.push(...usageFaults(run, record));
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

/** Every acknowledged decision is recorded once, as it was given; there is none that nobody made. */
function decisionFaults({ decisions }: DrivenRun, messages: readonly Message[]): string[] {
  const responses = messages.filter(({ type }) => type === 'hitl-response');
  const faults: string[] = [];
  for (const { gateId, approved, responder, isAcknowledged } of decisions) {
    // It is recorded where it was decided: in the child run.
    if (gateId === null) continue;
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

/**
 * One request continues the run once where pauses are successive, however often it was sent. It lifts all pauses
 * that are open: a pause that was requested while a unit was suspended, and that of the unit.
 */
function pauseFaults({ workflow, resumes, rewinds }: DrivenRun, log: readonly LogEvent[]): string[] {
  if (!workflow.isSequence || rewinds.length > 0) return [];
  const open = new Set<unknown>();
  let lifted = 0;
  for (const { type, seq, data } of log) {
    if (type === 'paused') open.add(seq);
    if (type === 'resumed' && open.delete(data['pauseId']) && open.size === 0) lifted += 1;
  }
  return lifted <= resumes ? [] : [`it went on ${lifted} times after a pause, by ${resumes} requests.`];
}

function startFaults(
  { token, runId }: DrivenRun,
  children: readonly ChildRun[],
  ledger: ExecutionLedger,
): string[] {
  const own = new Set([runId, ...children.map((child) => child.runId)]);
  const others = ledger.runsOf(token).filter((id) => !own.has(id));
  return others.map((id) => `its start made a second run, ${id}.`);
}

/** Every cancel is recorded once, with its clean-up called once; the same holds for pauses. */
function stopFaults(
  { workflow, runId, pauses, cancels }: DrivenRun,
  { status, error }: RunRecord,
  messages: readonly Message[],
  ledger: ExecutionLedger,
): string[] {
  const faults: string[] = [];
  const isCancelled = status === 'failed' && cancels.some(({ by }) => error === `Cancelled by ${by}`);
  if (status !== 'completed' && cancels.some(({ isAcknowledged }) => isAcknowledged) && !isCancelled)
    faults.push(`it was cancelled, and is ${status}: ${error}.`);
  const ends = messages.filter(({ type }) => type === 'run-cancelled').length;
  if (ends !== (isCancelled ? 1 : 0)) faults.push(`its log says ${ends} times that it was cancelled.`);
  for (const unitId of workflow.onCancel) {
    const executions = ledger.executionsOf({ runId, unitId });
    if (executions !== (isCancelled ? 1 : 0))
      faults.push(`${unitId} had ${executions} keys, and it ${isCancelled ? 'was' : 'was not'} cancelled.`);
  }
  const stops = messages.filter(({ type, reason }) => type === 'run-paused' && reason === 'requested').length;
  if (stops > pauses.length) faults.push(`it stood still ${stops} times, asked for were ${pauses.length}.`);
  return faults;
}

/** A child run. */
interface ChildRun {
  readonly unitId: string;
  readonly runId: string;
  readonly workflow: CrashWorkflow;
  readonly record: RunRecord;
}

const ENDS_WITHIN_MS = 20_000;

/** The children that exist: those that could not be started are recorded, too. A cancelled one may take a moment to end. */
async function childrenOf(
  client: PersistentClient,
  messages: readonly Message[],
): Promise<readonly ChildRun[]> {
  const children: ChildRun[] = [];
  const known = new Set<string>();
  for (const message of messages) {
    if (message.type !== 'child-started') continue;
    const { unitId, childRunId: runId, workflowId } = message as Message & Record<string, string>;
    const workflow = CRASH_WORKFLOWS.find(({ id }) => id === workflowId);
    if (unitId === undefined || runId === undefined || workflow === undefined || known.has(runId)) continue;
    known.add(runId);
    const path = `/workflows/${workflow.id}/runs/${runId}`;
    let { status, body } = await client.get(path);
    for (const giveUpAt = Date.now() + ENDS_WITHIN_MS; status === 200 && Date.now() < giveUpAt;) {
      if (body.status === 'completed' || body.status === 'failed') break;
      await delay(50);
      ({ status, body } = await client.get(path));
    }
    if (status === 200) children.push({ unitId, runId, workflow, record: body as RunRecord });
  }
  return children;
}

/** Every child ended once, and its units were called once. */
function childFaults(
  { workflow, decisions }: DrivenRun,
  { status }: RunRecord,
  children: readonly ChildRun[],
  ledger: ExecutionLedger,
): string[] {
  const faults: string[] = [];
  for (const { runId, record, workflow: own } of children) {
    const name = `its run ${runId} of ${own.id}`;
    if (record.status === 'running' || record.status === 'paused')
      faults.push(`${name} is ${record.status}.`);
    if (status === 'completed' && record.status !== 'completed') faults.push(`${name} is ${record.status}.`);
    for (const unitId of own.remoteIds) {
      const executions = ledger.executionsOf({ runId, unitId });
      if (executions > (own.executions[unitId] ?? 1))
        faults.push(`${unitId} of ${name} had ${executions} keys.`);
    }
    const answers = (record.result?.messages ?? []).filter(({ type }) => type === 'hitl-response');
    const made = new Set(decisions.map(({ responder }) => responder));
    for (const answer of answers as readonly Message[]) {
      if (!made.has(answer['responder'] as string)) faults.push(`nobody decided ${JSON.stringify(answer)}.`);
    }
  }
  const units = children.map(({ unitId }) => unitId);
  if (new Set(units).size !== units.length) faults.push(`a unit started two runs: ${units.join(', ')}.`);
  if (status === 'completed' && units.length !== workflow.children.length)
    faults.push(`${units.length} runs were started, and should have been ${workflow.children.length}.`);
  return faults;
}

/** Every result is counted once, those of child runs too. */
function usageFaults({ workflow, rewinds }: DrivenRun, { result }: RunRecord): string[] {
  if (!workflow.isSequence || rewinds.length > 0) return [];
  const within = workflow.children.map((id) => CRASH_WORKFLOWS.find((one) => one.id === id));
  const results = [workflow, ...within].reduce((sum, one) => sum + (one?.remoteIds.length ?? 0), 0);
  const { tokenUsage } = result ?? {};
  return tokenUsage === results * TOKENS ? [] : [`it used ${tokenUsage} tokens for ${results} results.`];
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
