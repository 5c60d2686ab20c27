import { runEnding } from './run-ending.js';
import { oneLine } from '../terminal/printable.js';
import type { Tone } from '../terminal/tone.js';
import type { RunTree } from './run-tree.js';
import { fanOutKey, placeOfScope } from './scope-ids.js';
import { duration, ofItem } from './step-line.js';
import type { Pass, Passes, Step, StepState } from './tree-step.js';

/** One line of the tree, before it is fitted to a terminal. */
export interface Row {
  readonly depth: number;
  readonly mark: string;
  readonly tone: Tone;
  readonly subject: string;
  readonly text: string;
  /** It is over and well: where the screen is too small it gives way. */
  readonly isQuiet: boolean;
}

const MARKS: Readonly<Record<StepState, readonly [string, Tone]>> = {
  running: ['●', 'plain'],
  retrying: ['●', 'careful'],
  waiting: ['●', 'faint'],
  gate: ['?', 'careful'],
  paused: ['‖', 'careful'],
  completed: ['✓', 'good'],
  failed: ['✗', 'bad'],
  skipped: ['–', 'faint'],
  cancelled: ['–', 'faint'],
};
/** The most passes of a foreach that have lines of their own: of those at work, and of those that failed. */
const MAX_PASSES = 5;
/** The most names of failed items in the line of their foreach. */
const MAX_NAMES = 8;
const MAX_SUBJECT_CHARS = 60;
/** How the engine begins the error of a unit, whose line says the same. */
const ITS_OWN_FAILURE = /^Unit \S+ failed after \d+ attempt\(s\): /;

interface Frame {
  readonly now: number;
  /** Foreaches and steps by the scope in whose list they stand. */
  readonly children: ReadonlyMap<string, readonly (Step | Passes)[]>;
}

/** What a run does, in the order in which it began. */
export function rowsOf(tree: RunTree, now: number): readonly Row[] {
  const frame = { now, children: childrenOf(tree) };
  const { undoing } = tree;
  const undone: Row[] = [];
  if (undoing !== null) {
    const [mark, tone] = MARKS[undoing.failed > 0 ? 'failed' : undoing.isOver ? 'completed' : 'running'];
    const failed = undoing.failed > 0 ? `, ${undoing.failed} failed` : '';
    const text = `${undoing.done}/${undoing.owed} calls undone${failed}`;
    undone.push({ depth: 0, mark, tone, subject: 'compensation', text, isQuiet: false });
  }
  const undoings = tree.steps.filter(({ kind }) => kind === 'undo');
  return [...rowsIn('', 0, frame), ...undone, ...undoings.map((step) => rowOf(step, 1, frame))];
}

/** Branches stand where their fan-out does: what has passes is the only thing that has a list of its own. */
function childrenOf(tree: RunTree): Frame['children'] {
  const lists = new Map(tree.foreaches.map(({ scope, path }) => [fanOutKey(scope, path), true]));
  const children = new Map<string, (Step | Passes)[]>();
  const all = [...tree.steps.filter(({ kind }) => kind !== 'undo'), ...tree.foreaches];
  for (const one of all.toSorted((a, b) => a.firstSeq - b.firstSeq)) {
    let { scope } = one;
    for (let place = placeOfScope(scope); place !== null && !lists.has(place.fanOut);) {
      scope = place.parent;
      place = placeOfScope(scope);
    }
    children.set(scope, [...(children.get(scope) ?? []), one]);
  }
  return children;
}

function rowsIn(scope: string, depth: number, frame: Frame, itemName?: string): readonly Row[] {
  return (frame.children.get(scope) ?? []).flatMap((one) =>
    'passes' in one ? foreachRows(one, depth, frame) : [rowOf(one, depth, frame, itemName)],
  );
}

function foreachRows(foreach: Passes, depth: number, frame: Frame): readonly Row[] {
  const passes = [...foreach.passes];
  const failed = passes.filter(([, pass]) => pass.hasFailed);
  const open = passes.filter(([, { endedSeq }]) => endedSeq === null);
  const ended = passes.length - open.length;
  const isWhole = open.length === 0 && (foreach.total === null || ended === foreach.total);
  const [mark, tone] = foreachMark(isWhole, failed.length > 0);
  const parts = [`${ended}/${foreach.total ?? '…'}`, ...(failed.length > 0 ? [failedText(failed)] : [])];
  const unitIds = [...foreach.unitIds].slice(0, 3).join(', ') || '…';
  return [
    {
      depth,
      mark,
      tone,
      subject: oneLine(`each ${unitIds}`, MAX_SUBJECT_CHARS),
      text: parts.join('  '),
      isQuiet: isWhole && failed.length === 0,
    },
    ...passRows(failed, depth + 1, frame),
    ...passRows(open, depth + 1, frame),
  ];
}

function foreachMark(isWhole: boolean, hasFailed: boolean): readonly [string, Tone] {
  if (isWhole) return MARKS[hasFailed ? 'failed' : 'completed'];
  return [MARKS.running[0], hasFailed ? 'careful' : 'plain'];
}

function passRows(passes: readonly (readonly [string, Pass])[], depth: number, frame: Frame): readonly Row[] {
  const shown = passes.slice(0, MAX_PASSES);
  const more = passes.length - shown.length;
  const rows = shown.flatMap(([scope, { name }]) => rowsIn(scope, depth, frame, name));
  if (more === 0) return rows;
  return [...rows, remark(depth, `and ${more} more`)];
}

function failedText(failed: readonly (readonly [string, Pass])[]): string {
  const names = failed.slice(0, MAX_NAMES).map(([, { name }]) => oneLine(name, 40));
  const more = failed.length > names.length ? ', …' : '';
  return `${failed.length} failed: ${names.join(', ')}${more}`;
}

function rowOf(step: Step, depth: number, { now }: Frame, itemName?: string): Row {
  const [mark, tone] = MARKS[step.state];
  const times = step.times > 1 ? ` ×${step.times}` : '';
  return {
    depth,
    mark,
    tone,
    subject: `${oneLine(ofItem(step.unitId, itemName), MAX_SUBJECT_CHARS)}${times}`,
    text: textOf(step, now),
    isQuiet: step.state === 'completed' || step.state === 'skipped',
  };
}

function textOf(step: Step, now: number): string {
  const { kind, state, startedAt, endedAt, attempt, dueAt } = step;
  const text = oneLine(step.text);
  const took = duration((endedAt ?? now) - startedAt);
  const child = step.child === null ? '' : `the run ${childText(step.child)}`;
  switch (state) {
    case 'running':
      return parted(child, attempt > 1 ? `attempt ${attempt}` : '', took);
    case 'retrying':
      return `attempt ${attempt - 1} failed, the next one in ${duration((dueAt ?? now) - now)}: ${text}`;
    case 'waiting':
      return dueAt === null ? 'waits' : `waits, for another ${duration(dueAt - now)}`;
    case 'gate':
    case 'paused':
      return text;
    case 'completed':
      return parted(kind === 'gate' ? text : child, attempt > 1 ? `attempt ${attempt}` : '', took);
    case 'failed':
      if (kind === 'gate') return parted(text, took);
      return `failed after ${parted(attempt > 1 ? `${attempt} attempts` : '', took)}: ${text.replace(ITS_OWN_FAILURE, '')}`;
    case 'skipped':
      return 'skipped';
    case 'cancelled':
      return kind === 'gate' ? 'waits for a decision no more' : 'cancelled';
  }
}

function childText({ runId, workflowId }: NonNullable<Step['child']>): string {
  return oneLine(`${runEnding(runId)} of ${workflowId}`, MAX_SUBJECT_CHARS);
}

function parted(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}

/** A line about lines that are not shown. */
export function remark(depth: number, text: string): Row {
  return { depth, mark: '…', tone: 'faint', subject: '', text, isQuiet: false };
}
