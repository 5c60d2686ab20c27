import { storedInCommandWords } from '../command-words.js';
import { jsonText } from '../terminal/output.js';
import type { Paint } from '../terminal/paint.js';
import { oneLine } from '../terminal/printable.js';
import { inTone, type Tone } from '../terminal/tone.js';
import type { NextStep } from './next-steps.js';
import { duration } from '../tree/step-line.js';
import type { SummarisedRun } from './summarised-run.js';

export interface SummaryFrame {
  readonly paint: Paint;
  /** Show all of the output, and the keys of the state. */
  readonly isWide: boolean;
  /** The command for a step, as its words; null: the step cannot be taken from here. */
  readonly commandFor: (step: NextStep) => string | null;
}

const TONES: Readonly<Record<string, Tone>> = {
  completed: 'good',
  failed: 'bad',
  cancelled: 'bad',
  paused: 'careful',
  pending: 'faint',
};
const MAX_OUTPUT_CHARS = 300;
const MAX_WIDE_CHARS = 100_000;
const MAX_MESSAGE_CHARS = 2_000;

export function toneOfStatus(status: string): Tone {
  return TONES[status] ?? 'plain';
}

/** How a run stands in a few lines: its status, what it waits for or gave, and the next commands, ready to be copied. */
export function summaryLines(
  run: SummarisedRun,
  steps: readonly NextStep[],
  frame: SummaryFrame,
): readonly string[] {
  const { paint, commandFor } = frame;
  const commands = new Set(steps.map(commandFor).filter((command) => command !== null));
  return [
    headline(run, paint),
    ...failureLines(run),
    ...run.waits.map((wait) => waitLine(run, wait)).filter((line) => line !== null),
    ...outputLines(run, frame.isWide),
    ...[...commands].map(
      (command, index) => `${index === 0 ? 'next:  ' : '       '}${paint('bold', command)}`,
    ),
  ];
}

function headline(run: SummarisedRun, paint: Paint): string {
  const { runId, workflowId, result } = run;
  const status = run.cancelled === true ? 'cancelled' : oneLine(run.status);
  const used = [
    duration(result.duration),
    ...(result.tokenUsage > 0 ? [`${result.tokenUsage} tokens`] : []),
    ...(result.cost > 0 ? [`cost ${Number(result.cost.toFixed(6))}`] : []),
  ].join(', ');
  const word = inTone(paint, toneOfStatus(status), status);
  return `${oneLine(workflowId)} ${oneLine(runId)}: ${word} ${paint('dim', `(${used})`)}`;
}

function failureLines({ status, error, failure }: SummarisedRun): readonly string[] {
  if (status !== 'failed' || error === undefined) return [];
  const { line = null, column = null } = failure ?? {};
  const where = line === null ? '' : ` (line ${line}:${column ?? 1} of the document)`;
  return [`error: ${oneLine(storedInCommandWords(error), MAX_MESSAGE_CHARS)}${where}`];
}

function waitLine(run: SummarisedRun, wait: SummarisedRun['waits'][number]): string | null {
  const at = wait.unitId === null ? '' : ` at ${oneLine(wait.unitId)}`;
  if (wait.for === 'gate')
    return `waits for a decision${at} (gate ${wait.id}): ${oneLine(titleOf(run, wait.id))}`;
  if (wait.for === 'child' && wait.childRunId !== undefined)
    return `waits${at} for the run ${oneLine(wait.childRunId)}`;
  if (wait.for !== 'resume') return null;
  const why = pauseText(run);
  return `waits${at} to be resumed${wait.reason === undefined ? '' : ` (${oneLine(wait.reason)})`}${why === '' ? '' : `: ${why}`}`;
}

/** What the gate asks, which the record says in its messages. */
function titleOf({ result }: SummarisedRun, gateId: number): string {
  const request = (result.messages as readonly GateRequest[]).findLast(
    (message) => message.type === 'hitl-request' && message.gateId === gateId,
  );
  return request?.action ?? '';
}

interface GateRequest {
  readonly type: string;
  readonly gateId?: number;
  readonly action?: string;
}

function pauseText({ result }: SummarisedRun): string {
  const message = result.messages.findLast(({ type }) => type === 'run-paused');
  const { error } = (message ?? {}) as { readonly error?: string };
  return error === undefined ? '' : oneLine(storedInCommandWords(error), MAX_MESSAGE_CHARS);
}

/** `spec.output` where the workflow has one, or else what the last unit gave. */
function outputLines({ status, result }: SummarisedRun, isWide: boolean): readonly string[] {
  if (status !== 'completed') return [];
  const most = isWide ? MAX_WIDE_CHARS : MAX_OUTPUT_CHARS;
  const state = new Map<string, unknown>(Object.entries(result.state));
  const keys = isWide ? [`state:  ${oneLine([...state.keys()].join(', '), most)}`] : [];
  if (result.output !== undefined) return [`output: ${valueText(result.output, most)}`, ...keys];
  const last = result.completedUnits.findLast((unitId) => state.has(`output.${unitId}`));
  if (last === undefined) return keys;
  return [`output: ${valueText(state.get(`output.${last}`), most)}`, ...keys];
}

function valueText(value: unknown, most: number): string {
  return oneLine(typeof value === 'string' ? value : jsonText(value, false), most);
}
