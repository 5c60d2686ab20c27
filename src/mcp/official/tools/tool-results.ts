import type { CallToolResult } from '@modelcontextprotocol/server';
import type { OpenGate, RunRecord } from '../../../engine/index.js';
import type { ErrorBody } from '../../../http/refusals/error-response.js';
import { summarisedRecord } from './summarised-record.js';

/** A run may have thousands of gates, and their titles may come from its input. */
const MAX_NAMED_GATES = 20;
const MAX_TITLE_CHARS = 200;

/** The result of an operation, as text for a model and as data for a program. */
export function resultOf(result: object): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(result) }],
    structuredContent: result as Record<string, unknown>,
  };
}

/** The fault of a call, for the model to correct. */
export function errorResult(body: ErrorBody): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: true };
}

export interface RunResultOptions {
  /** The gates that the run waits at, if they were read. */
  readonly gates: readonly OpenGate[];
  /** Whether the tool `respond_hitl` is available. */
  readonly canDecide: boolean;
  /** Whether a failed run is an error of the call. */
  readonly failureIsError: boolean;
  /** Whether the call was to end the run, so that its end needs no advice. Default false. */
  readonly isEndWanted?: boolean;
  /** Why the operation was not carried out; it makes the result an error. */
  readonly note?: string | undefined;
}

/** A run's record, followed by advice on what to do next. */
export function runResult(record: RunRecord, options: RunResultOptions): CallToolResult {
  const { content, structuredContent } = resultOf(summarisedRecord(record));
  const { note, failureIsError } = options;
  const said = [note, nextStep(record, options)].filter((text) => typeof text === 'string');
  const isError = note !== undefined || (record.status === 'failed' && failureIsError);
  return {
    content: [...content, ...said.map((text) => ({ type: 'text' as const, text }))],
    structuredContent,
    ...(isError ? { isError } : {}),
  };
}

function nextStep(
  { status, workflowId, runId }: RunRecord,
  { gates, canDecide, isEndWanted = false }: RunResultOptions,
): string | null {
  const address = JSON.stringify({ workflowId, runId });
  const decidePath = `/workflows/${encodeURIComponent(workflowId)}/runs/${runId}/hitl`;
  switch (status) {
    case 'failed':
      if (isEndWanted) return null;
      return `The run failed; "error" says why. Mend that, then call resume_run with ${address} to try again from its last checkpoint, or run_workflow for a new run.`;
    case 'running':
    case 'pending':
      if (gates.length > 0)
        return `${pausedStep(address, gates, canDecide, decidePath)} The rest of the run goes on meanwhile.`;
      return `The run goes on. Call get_run with ${address} to see how it stands.`;
    case 'paused':
      return pausedStep(address, gates, canDecide, decidePath);
    default:
      return null;
  }
}

function pausedStep(address: string, gates: readonly OpenGate[], canDecide: boolean, path: string): string {
  if (gates.length === 0) return `The run is paused. Call resume_run with ${address} to let it go on.`;
  const names = gates.slice(0, MAX_NAMED_GATES).map(({ gateId, title, runId: ofRun, workflowId: of }) => {
    const where = ofRun === undefined ? '' : ` of ${JSON.stringify({ workflowId: of, runId: ofRun })}`;
    return `${gateId} (${title.slice(0, MAX_TITLE_CHARS)})${where}`;
  });
  const waits = `The run waits for a person at gate ${names.join(', ')}.`;
  const isOfOthers = gates.some((gate) => gate.runId !== undefined);
  const whose = isOfOthers ? `workflowId and runId of the gate (${address} where it says none)` : address;
  const how = canDecide
    ? `Ask the person; then call respond_hitl with ${whose}, gateId, approved and responder.`
    : `A person decides over HTTP: POST ${path}.`;
  return `${waits} ${how}`;
}
