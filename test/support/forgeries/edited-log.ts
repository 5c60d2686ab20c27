import { anonymous } from '../../../src/engine/core/log/actor.js';
import { eventKind } from '../../../src/engine/core/log/event-kinds.js';
import type { RunEvent } from '../../../src/engine/core/log/event.js';

/** An event of a log as somebody would write it by hand: `seq` and `v` are made to fit where none is given. */
export type ForgedEvent = { readonly type: RunEvent['type'] } & Readonly<Record<string, unknown>>;

const ONE = ['executionId', 'gateId', 'timerId', 'childId', 'pauseId', 'toSeq', 'key'] as const;

/**
 * A log of these events, numbered anew, with instants in order and with the ids of waits that events of `log` name moved
 * along: what is left that does not fit is what was forged. A new event has no `seq`.
 */
export function renumbered(events: readonly ForgedEvent[]): ForgedEvent[] {
  const seqs = new Map<unknown, number>();
  events.forEach((event, index) => {
    if (typeof event['seq'] === 'number' && !seqs.has(event['seq'])) seqs.set(event['seq'], index + 1);
  });
  let at = 0;
  return events.map((event, index) => {
    const one: Record<string, unknown> = { ...event, seq: index + 1 };
    one['v'] ??= eventKind(event.type).version;
    at = Math.max(at, typeof one['at'] === 'number' ? one['at'] : 0);
    one['at'] = at;
    const isOld = typeof event['seq'] === 'number';
    for (const field of isOld ? ONE : []) {
      if (typeof one[field] === 'number') one[field] = seqs.get(one[field]) ?? one[field];
    }
    const ids = one['executionIds'];
    if (isOld && Array.isArray(ids)) one['executionIds'] = ids.map((id: unknown) => seqs.get(id) ?? id);
    return one as ForgedEvent;
  });
}

const by = anonymous('http', 'eve');

interface Place {
  readonly path: string;
  readonly scope: string;
  readonly unitId: string;
}

/** One event of each type that has a location; `id`: that of the wait that it closes. */
export function eventsAt({ path, scope, unitId }: Place, id: number): readonly ForgedEvent[] {
  const location = { path, scope, unitId };
  const child = { childId: id, unitId, childRunId: 'child' };
  return [
    { type: 'unit-scheduled', ...location, settings: null, key: null, timeoutMs: 30_000 },
    {
      type: 'unit-finished',
      executionId: id,
      unitId,
      attempt: 1,
      output: 1,
      patch: null,
      usage: null,
      metadata: null,
    },
    {
      type: 'unit-failed',
      executionId: id,
      unitId,
      attempt: 1,
      error: 'no',
      retryable: false,
      outcome: 'refused',
    },
    { type: 'unit-skipped', ...location },
    { type: 'state-written', ...location, values: { written: 1 } },
    { type: 'branch-chosen', path, scope, branch: 'r0', source: null, task: null },
    { type: 'items-opened', path, scope, kind: 'passes', items: [] },
    { type: 'items-opened', path, scope, kind: 'delegations', items: [] },
    { type: 'condition-read', path, scope, value: true, iteration: 0, again: false },
    { type: 'branch-closed', scope, error: null, retried: false },
    { type: 'node-closed', path, scope, writes: {} },
    {
      type: 'gate-opened',
      ...location,
      title: unitId,
      description: null,
      payload: null,
      onReject: 'continue',
    },
    {
      type: 'gate-decided',
      gateId: id,
      unitId,
      approved: true,
      responder: 'eve',
      by,
      comment: null,
      failed: false,
    },
    { type: 'timer-set', ...location, dueAt: 1 },
    { type: 'timer-fired', timerId: id, unitId },
    { type: 'child-started', ...location, workflowId: 'inner', childRunId: 'child', key: null },
    {
      type: 'child-ended',
      ...child,
      status: 'completed',
      output: {},
      error: null,
      usage: { tokens: 0, cost: 0 },
      childSeq: 3,
    },
    { type: 'paused', ...location, reason: 'before', executionId: null },
    { type: 'paused', ...location, reason: 'after', executionId: null },
    { type: 'paused', ...location, reason: 'undecided', executionId: id, error: 'no' },
    { type: 'set-aside', pauseId: id },
    { type: 'resumed', pauseId: id, executionId: null, by },
    { type: 'resumed', pauseId: null, executionId: null, by },
    { type: 'rewound', toSeq: id, by },
    { type: 'run-completed' },
    { type: 'run-failed', error: 'no' },
    { type: 'cancel-requested', by, graceUntil: 1 },
    { type: 'run-cancelled', by },
  ];
}
