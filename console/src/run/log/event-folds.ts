import type { RunEvent } from '../../../../clients/typescript/src/types/events.js';
import type { JsonObject, JsonValue } from '../../../../clients/typescript/src/types/json.js';
import type { Attempt } from './picture.js';
import type { RunDraft } from './run-draft.js';

type Fold = (draft: RunDraft, event: LocatedEvent) => void;

/** An event whose location is there, or empty: whoever folds knows which types have one. */
export interface LocatedEvent {
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly data: JsonObject;
  readonly path: string;
  readonly scope: string;
}

export function located({ seq, at, type, data, path = '', scope = '' }: RunEvent): LocatedEvent {
  return { seq, at, type, data, path, scope };
}

/** What each type of event of the view `log` means for the picture. What is not here tells nothing that is shown. */
export const FOLDS: Readonly<Record<string, Fold>> = {
  'run-started'(draft, { at, data }) {
    draft.phase = 'live';
    draft.startedAt = at;
    draft.input = objectIn(data, 'input');
    draft.vars = objectIn(data, 'vars');
  },
  'run-forked'(draft, { at, data }) {
    draft.supersedeOpen();
    draft.startedAt = at;
    draft.endedAt = null;
    draft.error = null;
    draft.phase = 'live';
    draft.forkedFrom = { runId: textIn(data, 'fromRunId') ?? '', seq: numberIn(data, 'fromSeq') ?? 0 };
  },
  'unit-scheduled'(draft, { seq, at, data, path, scope }) {
    const input = data['input'];
    draft.begin({
      id: seq,
      kind: 'unit',
      unitId: unitIn(data),
      path,
      scope,
      state: 'running',
      startedAt: at,
      attempts: [newAttempt(1, at)],
      compensates: numberIn(data, 'compensates'),
      isCompensable: data['compensable'] !== undefined,
      key: numberIn(data, 'key'),
      ...(input === undefined ? {} : { input }),
    });
  },
  'unit-attempt-failed'(draft, { data, at }) {
    const id = numberIn(data, 'executionId') ?? 0;
    const number = numberIn(data, 'attempt') ?? 1;
    const retryAt = numberIn(data, 'retryAt') ?? at;
    const outcome = data['outcome'] === 'refused' ? 'refused' : 'unknown';
    const failed = (draft.execution(id)?.attempts ?? []).map((attempt) =>
      attempt.number === number
        ? { ...attempt, endedAt: at, error: textIn(data, 'error'), outcome }
        : attempt,
    );
    const attempts = [...failed, newAttempt(number + 1, retryAt)] as readonly Attempt[];
    draft.change(id, { attempts, state: 'retrying', dueAt: retryAt });
  },
  'unit-finished'(draft, { seq, at, data }) {
    const usage = objectIn(data, 'usage');
    const { tokens, cost } = usage ?? {};
    draft.end(numberIn(data, 'executionId') ?? 0, at, seq, 'completed', {
      ...(data['output'] === undefined ? {} : { output: data['output'] }),
      written: objectIn(data, 'patch') ?? {},
      usage: usage === null ? null : { tokens: Number(tokens ?? 0), cost: Number(cost ?? 0) },
    });
    checkpoint(draft, seq, at, 'unit-finished', unitIn(data));
  },
  'unit-failed'(draft, { seq, at, data }) {
    draft.end(numberIn(data, 'executionId') ?? 0, at, seq, 'failed', { error: textIn(data, 'error') });
  },
  'unit-skipped'(draft, { seq, at, data, path, scope }) {
    const ended = { startedAt: at, endedAt: at, endSeq: seq } as const;
    draft.begin({ id: seq, kind: 'skip', unitId: unitIn(data), path, scope, state: 'skipped', ...ended });
  },
  'state-written'(draft, { seq, at, data, path, scope }) {
    const ended = {
      startedAt: at,
      endedAt: at,
      endSeq: seq,
      written: objectIn(data, 'values') ?? {},
    } as const;
    draft.begin({ id: seq, kind: 'set', unitId: unitIn(data), path, scope, state: 'completed', ...ended });
    checkpoint(draft, seq, at, 'state-written', unitIn(data));
  },
  'gate-opened'(draft, { seq, at, data, path, scope }) {
    const timeoutMs = numberIn(data, 'timeoutMs');
    draft.begin({
      id: seq,
      kind: 'gate',
      unitId: unitIn(data),
      path,
      scope,
      state: 'gate',
      startedAt: at,
      input: data['payload'] ?? null,
      dueAt: timeoutMs === null ? null : at + timeoutMs,
      gate: {
        title: textIn(data, 'title') ?? '',
        description: textIn(data, 'description'),
        onReject: data['onReject'] === 'continue' ? 'continue' : 'fail',
        approved: null,
        responder: null,
        comment: null,
      },
    });
    checkpoint(draft, seq, at, 'gate-opened', unitIn(data));
  },
  'gate-decided'(draft, { seq, at, data }) {
    const id = numberIn(data, 'gateId') ?? 0;
    const gate = draft.execution(id)?.gate;
    if (gate === undefined) return;
    const responder = textIn(data, 'responder') ?? '';
    const isFailed = data['failed'] === true;
    draft.end(id, at, seq, isFailed ? 'failed' : 'completed', {
      gate: { ...gate, approved: data['approved'] === true, responder, comment: textIn(data, 'comment') },
      error: isFailed ? `Rejected by ${responder}` : null,
    });
    checkpoint(draft, seq, at, 'gate-decided', unitIn(data));
  },
  'gate-closed'(draft, { seq, at, data }) {
    draft.end(numberIn(data, 'gateId') ?? 0, at, seq, data['why'] === 'race' ? 'lost' : 'cancelled');
  },
  'gate-reopened'(draft, { data }) {
    const dueAt = numberIn(data, 'dueAt');
    draft.change(numberIn(data, 'gateId') ?? 0, { state: 'gate', endedAt: null, endSeq: null, dueAt });
  },
  'timer-set'(draft, { seq, at, data, path, scope }) {
    const begun = { id: seq, kind: 'timer', unitId: unitIn(data), path, scope, startedAt: at } as const;
    draft.begin({ ...begun, state: 'waiting', dueAt: numberIn(data, 'dueAt') });
  },
  'timer-fired'(draft, { seq, at, data }) {
    draft.end(numberIn(data, 'timerId') ?? 0, at, seq, 'completed');
    checkpoint(draft, seq, at, 'timer-fired', unitIn(data));
  },
  'child-started'(draft, { seq, at, data, path, scope }) {
    const { input } = data;
    draft.begin({
      id: seq,
      kind: 'child',
      unitId: unitIn(data),
      path,
      scope,
      state: 'running',
      startedAt: at,
      child: { runId: textIn(data, 'childRunId') ?? '', workflowId: textIn(data, 'workflowId') ?? '' },
      isCompensable: data['compensable'] !== undefined,
      key: numberIn(data, 'key'),
      ...(input === undefined ? {} : { input }),
    });
  },
  'child-paused'(draft, { data }) {
    draft.change(numberIn(data, 'childId') ?? 0, { state: 'waiting' });
  },
  'child-went-on'(draft, { data }) {
    draft.change(numberIn(data, 'childId') ?? 0, { state: 'running' });
  },
  'child-ended'(draft, { seq, at, data }) {
    const state = data['status'] === 'completed' ? 'completed' : 'failed';
    const { output } = data;
    const ended = {
      error: textIn(data, 'error'),
      ...(output === undefined || output === null ? {} : { output }),
    };
    draft.end(numberIn(data, 'childId') ?? 0, at, seq, state, ended);
    checkpoint(draft, seq, at, 'child-ended', unitIn(data));
  },
  'child-refused'(draft, { seq, at, data }) {
    draft.end(numberIn(data, 'childId') ?? 0, at, seq, 'failed', { error: textIn(data, 'error') });
  },
  paused(draft, { seq, at, data, path, scope }) {
    const executionId = numberIn(data, 'executionId');
    draft.pauses.push({
      id: seq,
      unitId: unitIn(data),
      path,
      scope,
      startedAt: at,
      endedAt: null,
      reason: textIn(data, 'reason') ?? '',
      error: textIn(data, 'error'),
      by: textIn(objectIn(data, 'by') ?? {}, 'id'),
    });
    if (executionId !== null) draft.change(executionId, { state: 'paused' });
    checkpoint(draft, seq, at, 'paused', unitIn(data));
  },
  resumed(draft, { at, data }) {
    const pauseId = numberIn(data, 'pauseId');
    const index = draft.pauses.findIndex(({ id }) => id === pauseId);
    const pause = draft.pauses[index];
    if (pause !== undefined) draft.pauses[index] = { ...pause, endedAt: at };
    const executionId = numberIn(data, 'executionId');
    if (executionId !== null && draft.execution(executionId)?.state === 'paused')
      draft.change(executionId, { state: 'running' });
    if (pauseId !== null) return;
    draft.takeUpAgain();
    draft.phase = 'live';
    draft.endedAt = null;
    draft.error = null;
  },
  'branch-chosen'(draft, { data, path, scope }) {
    const branch = textIn(data, 'branch') ?? '';
    draft.flow(scope, path, ({ chosen }) => ({ chosen: [...chosen, branch] }));
  },
  'items-opened'(draft, { data, path, scope }) {
    if (data['kind'] !== 'passes') return;
    // A long list is left out of the event for its size.
    const items = Array.isArray(data['items']) ? data['items'].length : null;
    draft.flow(scope, path, () => ({ items }));
  },
  'pass-opened'(draft, { data, scope }) {
    draft.scope(scope, { key: textIn(data, 'key') });
  },
  'condition-read'(draft, { data, path, scope }) {
    draft.flow(scope, path, () => ({ passes: (numberIn(data, 'iteration') ?? 0) + 1 }));
  },
  'branch-closed'(draft, { at, seq, data, scope }) {
    draft.scope(scope, { closedAt: at, error: textIn(data, 'error') });
    draft.closeInside(at, seq, { scope, path: '' }, 'cancelled');
  },
  'node-closed'(draft, { at, seq, data, path, scope }) {
    const winner = numberIn(data, 'winner');
    draft.flow(scope, path, () => ({ winner, isClosed: true }));
    draft.closeInside(at, seq, { scope, path }, winner === null ? 'cancelled' : 'lost');
  },
  unwinding(draft, { at, seq, data, path, scope }) {
    draft.closeInside(at, seq, { scope, path }, data['reason'] === 'race' ? 'lost' : 'cancelled');
  },
  'deadline-passed'(draft, { at, seq, path, scope }) {
    draft.closeInside(at, seq, { scope, path }, 'cancelled');
  },
  'failure-caught'(draft, { at, seq, data, path, scope }) {
    noteFailure(draft, { at, seq, scope }, objectIn(data, 'error'));
    draft.closeInside(at, seq, { scope, path }, 'cancelled');
    draft.flow(scope, path, () => ({ caught: textIn(objectIn(data, 'error') ?? {}, 'message') ?? '' }));
  },
  'finally-begun'(draft, { at, seq, data, path, scope }) {
    noteFailure(draft, { at, seq, scope }, objectIn(data, 'error'));
    draft.closeInside(at, seq, { scope, path }, 'cancelled');
  },
  'try-left'(draft, { path, scope }) {
    draft.flow(scope, path, () => ({ isClosed: true }));
  },
  'compensation-started'(draft, { at, data }) {
    const owed = numberIn(data, 'owed') ?? 0;
    draft.undoings.push({ startedAt: at, endedAt: null, owed, done: 0, failed: 0, unknown: 0 });
  },
  'compensation-finished'(draft, { at, data }) {
    const last = draft.undoings.pop();
    if (last === undefined) return;
    const [done, failed, unknown] = ['done', 'failed', 'unknown'].map((name) => numberIn(data, name) ?? 0);
    draft.undoings.push({
      ...last,
      endedAt: at,
      done: done ?? 0,
      failed: failed ?? 0,
      unknown: unknown ?? 0,
    });
  },
  'compensation-requested'(draft) {
    draft.endedAt = null;
  },
  'run-completed'(draft, { at }) {
    draft.phase = 'completed';
    draft.endedAt = at;
  },
  'run-failed'(draft, { at, seq, data }) {
    draft.fail(at, seq);
    draft.phase = 'failed';
    draft.endedAt = at;
    draft.error = textIn(data, 'error');
  },
  'clean-up-started'(draft, { at, seq }) {
    draft.closeInside(at, seq, { scope: '', path: '' }, 'cancelled');
  },
  'run-cancelled'(draft, { at, seq, data }) {
    draft.closeInside(at, seq, { scope: '', path: '' }, 'cancelled');
    draft.phase = 'cancelled';
    draft.endedAt = at;
    draft.error = `Cancelled by ${textIn(objectIn(data, 'by') ?? {}, 'id') ?? 'somebody'}`;
  },
};

function newAttempt(number: number, startedAt: number): Attempt {
  return { number, startedAt, endedAt: null, error: null, outcome: null };
}

/** A `builtin.fail`, or a unit whose expressions cannot be evaluated, fails without being called: only its failure is told. */
function noteFailure(
  draft: RunDraft,
  { at, seq, scope }: Pick<LocatedEvent, 'at' | 'seq' | 'scope'>,
  failure: JsonObject | null,
): void {
  const [path, unitId] = [textIn(failure ?? {}, 'path'), textIn(failure ?? {}, 'unitId')];
  if (failure === null || path === null || unitId === null || draft.hasFailedAt(path)) return;
  const ended = { startedAt: at, endedAt: at, endSeq: seq, error: textIn(failure, 'message') } as const;
  draft.begin({ id: seq, kind: 'fail', unitId, path, scope, state: 'failed', ...ended });
}

function checkpoint(draft: RunDraft, seq: number, at: number, after: string, unitId: string): void {
  // What a fork inherited is in the log of the other run: this one cannot go back to it.
  if (seq > 0) draft.checkpoints.push({ seq, at, after, unitId });
}

function unitIn(data: JsonObject): string {
  return textIn(data, 'unitId') ?? '';
}

function textIn(data: JsonObject, field: string): string | null {
  const value = data[field];
  return typeof value === 'string' ? value : null;
}

function numberIn(data: JsonObject, field: string): number | null {
  const value = data[field];
  return typeof value === 'number' ? value : null;
}

function objectIn(data: JsonObject, field: string): JsonObject | null {
  const value: JsonValue | undefined = data[field];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}
