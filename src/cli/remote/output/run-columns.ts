import type { RunItem } from 'flowgate-client';
import { storedInCommandWords } from '../../command-words.js';
import { toneOfStatus } from '../../run/run-summary.js';
import { duration } from '../../tree/step-line.js';
import { ageText } from '../../terminal/age.js';
import type { Column } from '../../terminal/fitted-table.js';
import { runEnding } from '../../tree/run-ending.js';
import { instantText } from './listed.js';

/** The columns of runs on a terminal: an id by its end, which every command takes. `now`: epoch ms. */
export function runColumns(now: number): readonly Column<RunItem>[] {
  return [
    { heading: 'RUN', cell: ({ runId }) => runEnding(runId) },
    { heading: 'WORKFLOW', cell: ({ workflowId }) => workflowId, givesWay: true },
    STATUS,
    { heading: 'AGE', cell: ({ createdAt }) => ageText(now - createdAt), tone: () => 'faint' },
    { heading: 'DURATION', cell: durationOf },
    { heading: 'LABELS', cell: labelsOf, givesWay: true },
    { heading: 'ABOUT', cell: aboutRun, givesWay: true },
  ];
}

/** The same, whole, and with what else lists know. */
export const WIDE_RUN_COLUMNS: readonly Column<RunItem>[] = [
  { heading: 'RUN', cell: ({ runId }) => runId },
  { heading: 'WORKFLOW', cell: ({ workflowId }) => workflowId },
  { heading: 'STATUS', cell: statusOf, tone: (run) => toneOfStatus(statusOf(run)) },
  { heading: 'CREATED', cell: ({ createdAt }) => instantText(createdAt) },
  { heading: 'ENDED', cell: ({ endedAt }) => (typeof endedAt === 'number' ? instantText(endedAt) : '') },
  { heading: 'DURATION', cell: durationOf },
  { heading: 'TOKENS', cell: ({ tokenUsage }) => amountText(tokenUsage) },
  { heading: 'COST', cell: ({ cost }) => amountText(cost) },
  { heading: 'ORIGIN', cell: ({ origin }) => origin ?? '' },
  { heading: 'PARENT', cell: ({ parentRunId }) => parentRunId ?? '' },
  { heading: 'LABELS', cell: labelsOf },
  { heading: 'ABOUT', cell: aboutRun },
];

const STATUS: Column<RunItem> = {
  heading: 'STATUS',
  cell: statusOf,
  tone: (run) => toneOfStatus(statusOf(run)),
};

export function statusOf({ cancelled, status }: RunItem): string {
  return cancelled ? 'cancelled' : status;
}

/** What a run waits for, or why it failed. */
export function aboutRun({ error, waitingFor, openGates }: RunItem): string {
  if (error !== null) return storedInCommandWords(error);
  const [gate] = openGates;
  if (gate !== undefined) return `waits for a decision at ${gate.unitId}: ${gate.title}`;
  return waitingFor === 'resume' ? 'waits to be resumed' : '';
}

function durationOf({ duration: ms }: RunItem): string {
  return typeof ms === 'number' ? duration(ms) : '';
}

function labelsOf({ labels }: RunItem): string {
  // A server of an older version has none.
  return Object.entries(labels ?? {})
    .map(([name, value]) => `${name}:${value}`)
    .join(' ');
}

/** Nothing where nothing was used. */
function amountText(amount: number | null): string {
  return typeof amount === 'number' && amount > 0 ? String(amount) : '';
}
