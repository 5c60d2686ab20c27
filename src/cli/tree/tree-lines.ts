import { truncateToWidth, widthOf } from '../terminal/display-width.js';
import { oneLine } from '../terminal/printable.js';
import type { Tone } from '../terminal/tone.js';
import type { RunTree } from './run-tree.js';
import { duration } from './step-line.js';
import { remark, rowsOf, type Row } from './tree-rows.js';

/** The most lines of a tree, however large the screen is. */
const MAX_LINES = 30;
/** The widest column of subjects; a longer one takes of the text behind it. */
const MAX_SUBJECT_WIDTH = 30;

export interface TreeFrame {
  /** Columns and lines that there are. */
  readonly width: number;
  readonly height: number;
  /** Epoch ms. */
  readonly now: number;
  /** Whether a line about all of the run comes first. */
  readonly hasHead: boolean;
}

export interface TreeLine {
  readonly tone: Tone;
  readonly text: string;
}

/** The tree of a run as lines of a terminal, none wider and not more than there is room for. */
export function treeLines(tree: RunTree, frame: TreeFrame): readonly TreeLine[] {
  const { width, height, now, hasHead } = frame;
  const head = hasHead ? [headOf(tree, now)] : [];
  const rows = folded(rowsOf(tree, now), Math.max(1, Math.min(MAX_LINES, height) - head.length));
  const subjects = rows.filter(({ subject }) => subject !== '').map((row) => widthOf(leadOf(row)));
  const column = Math.min(MAX_SUBJECT_WIDTH, Math.max(0, ...subjects));
  const lines = rows.map((row) => ({ tone: row.tone, text: textOf(row, column) }));
  return [...head, ...lines].map(({ tone, text }) => ({ tone, text: fitted(text, width) }));
}

function headOf(tree: RunTree, now: number): TreeLine {
  const { workflowId, status, startedAt, endedAt, tokens, cost } = tree;
  const used = [
    ...(startedAt === null ? [] : [duration((endedAt ?? now) - startedAt)]),
    ...(tokens > 0 ? [`${tokens} tokens`] : []),
    ...(cost > 0 ? [`cost ${Number(cost.toFixed(6))}`] : []),
  ].join(', ');
  return { tone: 'plain', text: `${oneLine(workflowId, 60)}: ${status} (${used})` };
}

function leadOf({ depth, mark, subject }: Row): string {
  return `${'  '.repeat(depth + 1)}${mark} ${subject}`;
}

function textOf(row: Row, column: number): string {
  const lead = leadOf(row);
  if (row.subject === '') return lead + row.text;
  return `${lead}${' '.repeat(Math.max(0, column - widthOf(lead)))}  ${row.text}`;
}

function fitted(text: string, width: number): string {
  return widthOf(text) <= width ? text : `${truncateToWidth(text, width - 1)}…`;
}

/**
 * So many rows at most. Those that are over and well give way first, from the oldest on: neighbours become one line that
 * counts them. Then the middle of the rest does.
 */
function folded(rows: readonly Row[], most: number): readonly Row[] {
  const kept: Row[] = [];
  let excess = rows.length - most;
  for (let at = 0; at < rows.length;) {
    const end = rows.findIndex(({ isQuiet }, index) => index >= at && !isQuiet);
    const quiet = (end === -1 ? rows.length : end) - at;
    // A fold takes a line itself.
    const hidden = Math.min(quiet, excess + 1);
    if (excess > 0 && hidden > 1) {
      const depth = Math.min(...rows.slice(at, at + hidden).map((row) => row.depth));
      kept.push(remark(depth, `${hidden} finished`));
      excess -= hidden - 1;
      at += hidden;
    } else {
      kept.push(...rows.slice(at, at + 1));
      at += 1;
    }
  }
  return kept.length <= most ? kept : withoutMiddle(kept, most);
}

function withoutMiddle(rows: readonly Row[], most: number): readonly Row[] {
  const before = Math.floor((most - 1) / 2);
  const after = most - 1 - before;
  const hidden = rows.length - before - after;
  return [...rows.slice(0, before), remark(0, `${hidden} more lines`), ...rows.slice(rows.length - after)];
}
