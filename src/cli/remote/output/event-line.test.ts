import type { JsonObject } from 'flowgate-client';
import { eventLine } from './event-line.js';

const RUN = '01a1f0c2-7c1e-7000-8000-000000000000';
const by = { id: 'ann', via: 'http', auth: 'none' };
const base = { runId: RUN, workflowId: 'w', seq: 3, at: 1_000 };

it.each<[string, JsonObject, string, string]>([
  ['run.forked', { fromRunId: RUN, fromSeq: 4, edits: {}, by }, `run: is a fork of the run ${RUN}`, 'plain'],
  ['run.paused', { reason: 'before', unitId: 'a' }, 'a: paused (before)', 'careful'],
  [
    'run.paused',
    { reason: 'budget', unitId: 'a', error: 'Raise it' },
    'a: paused (budget): Raise it',
    'careful',
  ],
  [
    'run.paused',
    { reason: 'requested', unitId: null, by },
    'run: paused (requested): Paused by ann',
    'careful',
  ],
  [
    'run.paused',
    { reason: 'child', unitId: 'a', childRunId: RUN },
    `a: waits: the run ${RUN} is paused`,
    'careful',
  ],
  ['run.resumed', { pauseId: 3, by }, 'run: resumed by ann', 'plain'],
  ['run.resumed', { reason: 'child', unitId: 'a', childRunId: RUN }, `a: the run ${RUN} goes on`, 'plain'],
  ['run.rewound', { toSeq: 3, by }, 'run: taken back to a checkpoint by ann', 'plain'],
  ['run.completed', {}, 'run: completed', 'good'],
  ['run.failed', { error: 'no\nway' }, 'run: failed: no way', 'bad'],
  ['run.cancelled', { by: { ...by, id: 'an\nn' } }, 'run: cancelled by an n', 'bad'],
  ['unit.scheduled', { unitId: 'a', kind: 'unit' }, 'a: started', 'faint'],
  [
    'unit.scheduled',
    { unitId: 'a', kind: 'timer', dueAt: 1_790_000_000_000 },
    'a: waits until 2026-09-21T14:13:20.000Z',
    'faint',
  ],
  ['unit.scheduled', { unitId: 'a', kind: 'timer', dueAt: 1e300 }, 'a: waits', 'faint'],
  [
    'unit.scheduled',
    { unitId: 'a', kind: 'child', childRunId: RUN, childWorkflowId: 'payment' },
    `a: started the run ${RUN} of payment`,
    'faint',
  ],
  [
    'unit.retrying',
    { unitId: 'a', attempt: 2, error: 'busy', retryAt: 2_500 },
    'a: attempt 2 failed, the next one in 1.5 s: busy',
    'careful',
  ],
  ['unit.finished', { unitId: 'a', kind: 'unit' }, 'a: finished', 'good'],
  ['unit.failed', { unitId: 'a', error: 'it\u001b[2J broke' }, 'a: failed: it\uFFFD[2J broke', 'bad'],
  ['unit.skipped', { unitId: 'a' }, 'a: skipped', 'faint'],
  ['compensation.started', { owed: 2 }, 'run: undoes 2 calls', 'careful'],
  [
    'compensation.failed',
    { executionId: 3, error: 'no\nbank' },
    'run: could not undo a call: no bank',
    'bad',
  ],
  ['compensation.finished', { done: 2, failed: 0, unknown: 0 }, 'run: 2 undone', 'plain'],
  ['compensation.finished', { done: 1, failed: 1, unknown: 2 }, 'run: 1 undone, 1 failed, 2 unknown', 'bad'],
  [
    'gate.opened',
    { gateId: 4, unitId: 'a', title: 'May it?' },
    'a: waits for a decision (gate 4): May it?',
    'careful',
  ],
  ['gate.opened', { gateId: 4, unitId: 'a' }, 'a: waits for a decision (gate 4): …', 'careful'],
  ['gate.decided', { unitId: 'a', approved: true, responder: 'bob', by }, 'a: approved by bob', 'good'],
  [
    'gate.decided',
    { unitId: 'a', approved: false, responder: 'bob', by: { ...by, via: 'mcp' } },
    'a: rejected by bob over MCP',
    'bad',
  ],
])('%s of %j is shown on one line', (type, data, line, tone) => {
  const told = eventLine({ ...base, type, data });
  expect([`${told?.subject}: ${told?.text}`, told?.tone]).toEqual([line, tone]);
});

it.each(['run.started', 'state.written', 'unit.dreamt', 'node-closed'])(
  '%s says nothing to people',
  (type) => {
    expect(eventLine({ ...base, type, data: {} })).toBeNull();
  },
);

it('an event of a newer server, or one whose values are elsewhere, is shown as far as possible', () => {
  for (const type of [
    'run.paused',
    'run.forked',
    'run.cancelled',
    'unit.scheduled',
    'unit.retrying',
    'gate.decided',
  ])
    expect(eventLine({ ...base, type, data: { by: null } })?.text).toEqual(expect.any(String));
});
