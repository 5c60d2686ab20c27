import { asking, deciding } from './step-line.js';
import { storedInCommandWords } from '../command-words.js';
import { oneLine } from '../terminal/printable.js';
import type { LogEvent } from './log-event.js';
import { runEnding } from './run-ending.js';
import type { RunTree } from './run-tree.js';

/** Adds an event to the tree, once. */
export function takeEvent(tree: RunTree, event: LogEvent): void {
  if (tree.sees(event)) STEP_FOLDS[event.type]?.(tree, event);
}

type Fold = (tree: RunTree, event: LogEvent) => void;

/** What each type of event of the view `log` means for the tree. What is not here changes nothing that is shown. */
const STEP_FOLDS: Readonly<Record<string, Fold>> = {
  'run-started'(tree, { at }) {
    tree.startedAt = at;
  },
  'unit-scheduled'(tree, event) {
    const isUndoing = numberIn(event, 'compensates') !== null;
    tree.begin(event, { kind: isUndoing ? 'undo' : 'unit', unitId: unitIn(event) });
  },
  'unit-attempt-failed'(tree, event) {
    const attempt = (numberIn(event, 'attempt') ?? 1) + 1;
    const [text, dueAt] = [textIn(event, 'error'), numberIn(event, 'retryAt')];
    tree.change(executionIn(event), { state: 'retrying', attempt, text, dueAt });
  },
  'unit-finished'(tree, event) {
    spend(tree, event);
    const id = executionIn(event);
    if (tree.step(id)?.kind === 'undo' && tree.undoing !== null)
      tree.undoing = { ...tree.undoing, done: tree.undoing.done + 1 };
    tree.end(id, event, 'completed', { text: '', attempt: numberIn(event, 'attempt') ?? 1 });
  },
  'unit-failed'(tree, event) {
    tree.end(executionIn(event), event, 'failed', {
      text: storedInCommandWords(textIn(event, 'error')),
      attempt: numberIn(event, 'attempt') ?? 1,
    });
  },
  'unit-skipped'(tree, event) {
    tree.begin(event, { kind: 'unit', unitId: unitIn(event), ...ended(event, 'skipped') });
  },
  'state-written'(tree, event) {
    tree.begin(event, { kind: 'unit', unitId: unitIn(event), ...ended(event, 'completed') });
  },
  'gate-opened'(tree, event) {
    const { text } = asking('', event.seq, textIn(event, 'title'));
    tree.begin(event, { kind: 'gate', unitId: unitIn(event), state: 'gate', text });
  },
  'gate-reopened'(tree, event) {
    const id = numberIn(event, 'gateId') ?? 0;
    const { text } = asking('', id, textIn(event, 'title'));
    tree.change(id, { state: 'gate', endedAt: null, endedSeq: null, text });
  },
  'gate-decided'(tree, event) {
    const { text } = deciding('', event.data['approved'] === true, textIn(event, 'responder'));
    const hasFailed = event.data['failed'] === true;
    tree.end(numberIn(event, 'gateId') ?? 0, event, hasFailed ? 'failed' : 'completed', { text });
  },
  'gate-closed'(tree, event) {
    tree.end(numberIn(event, 'gateId') ?? 0, event, 'cancelled');
  },
  'timer-set'(tree, event) {
    const dueAt = numberIn(event, 'dueAt');
    tree.begin(event, { kind: 'timer', unitId: unitIn(event), state: 'waiting', dueAt });
  },
  'timer-fired'(tree, event) {
    tree.end(numberIn(event, 'timerId') ?? 0, event, 'completed');
  },
  'child-started'(tree, event) {
    const child = { runId: textIn(event, 'childRunId'), workflowId: textIn(event, 'workflowId') };
    tree.begin(event, { kind: 'child', unitId: unitIn(event), child });
  },
  'child-paused'(tree, event) {
    const ending = runEnding(textIn(event, 'childRunId'));
    tree.change(childIn(event), { state: 'paused', text: `the run ${ending} is paused` });
  },
  'child-went-on'(tree, event) {
    tree.change(childIn(event), { state: 'running', text: '' });
  },
  'child-ended'(tree, event) {
    spend(tree, event);
    const status = textIn(event, 'status');
    const text = textIn(event, 'error');
    tree.end(childIn(event), event, status === 'completed' ? 'completed' : 'failed', { text });
  },
  'child-refused'(tree, event) {
    tree.end(childIn(event), event, 'failed', { text: storedInCommandWords(textIn(event, 'error')) });
  },
  paused(tree, event) {
    const text = pauseText(event);
    const id = numberIn(event, 'executionId');
    if (id !== null && tree.step(id) !== undefined) return tree.change(id, { state: 'paused', text });
    tree.begin(event, { kind: 'pause', unitId: unitIn(event) || 'run', state: 'paused', text });
  },
  resumed(tree, event) {
    tree.drop(numberIn(event, 'pauseId') ?? 0);
    const id = numberIn(event, 'executionId');
    if (id !== null && tree.step(id)?.state === 'paused') tree.change(id, { state: 'running', text: '' });
    tree.status = 'running';
    tree.endedAt = null;
  },
  'items-opened'(tree, event) {
    const { items, kind } = event.data;
    if (kind === 'passes') tree.openPasses(event, Array.isArray(items) ? items.length : null);
  },
  'pass-opened'(tree, event) {
    tree.namePass(event, textIn(event, 'key'));
  },
  'branch-closed'(tree, event) {
    tree.closeInside(event, { scope: event.scope, path: '' });
    tree.closePass(event, typeof event.data['error'] === 'string');
  },
  'node-closed': close,
  unwinding: close,
  'deadline-passed': close,
  'failure-caught': close,
  'finally-begun': close,
  'compensation-started'(tree, event) {
    tree.undoing = { owed: numberIn(event, 'owed') ?? 0, done: 0, failed: 0, isOver: false };
  },
  'compensation-failed'(tree) {
    if (tree.undoing !== null) tree.undoing = { ...tree.undoing, failed: tree.undoing.failed + 1 };
  },
  'compensation-finished'(tree, event) {
    const [done, failed] = [numberIn(event, 'done') ?? 0, numberIn(event, 'failed') ?? 0];
    tree.undoing = { owed: tree.undoing?.owed ?? done + failed, done, failed, isOver: true };
  },
  rewound(tree, event) {
    tree.goBack(numberIn(event, 'toSeq') ?? 0);
  },
  'run-completed': (tree, event) => over(tree, event, 'completed'),
  'run-failed': (tree, event) => over(tree, event, 'failed'),
  'run-cancelled': (tree, event) => over(tree, event, 'cancelled'),
};

function over(tree: RunTree, event: LogEvent, status: RunTree['status']): void {
  tree.closeInside(event, { scope: '', path: '' });
  tree.status = status;
  tree.endedAt = event.at;
}

function close(tree: RunTree, event: LogEvent): void {
  tree.closeInside(event, event);
}

function spend(tree: RunTree, { data }: LogEvent): void {
  const { tokens, cost } = Object(data['usage']) as { readonly tokens?: unknown; readonly cost?: unknown };
  if (typeof tokens === 'number') tree.tokens += tokens;
  if (typeof cost === 'number') tree.cost += cost;
}

function ended({ at, seq }: LogEvent, state: 'skipped' | 'completed') {
  return { state, endedAt: at, endedSeq: seq };
}

function pauseText(event: LogEvent): string {
  const { id } = Object(event.data['by']) as { readonly id?: unknown };
  const reason = oneLine(textIn(event, 'reason'));
  if (reason === 'requested') return `paused by ${typeof id === 'string' ? oneLine(id) : '…'}`;
  const error = storedInCommandWords(textIn(event, 'error'));
  return error === '' ? `paused (${reason})` : `paused (${reason}): ${error}`;
}

function unitIn(event: LogEvent): string {
  return textIn(event, 'unitId');
}

function executionIn(event: LogEvent): number {
  return numberIn(event, 'executionId') ?? 0;
}

function childIn(event: LogEvent): number {
  return numberIn(event, 'childId') ?? 0;
}

/** Empty where there is no text, as for a value that was left out for its size. */
function textIn({ data }: LogEvent, field: string): string {
  const value = data[field];
  return typeof value === 'string' ? value : '';
}

function numberIn({ data }: LogEvent, field: string): number | null {
  const value = data[field];
  return typeof value === 'number' ? value : null;
}
