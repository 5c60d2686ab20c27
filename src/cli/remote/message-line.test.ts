import type { RunMessage } from 'flowgate-client';
import { messageLines } from './message-line.js';

const RUN = '01a1f0c2-7c1e-7000-8000-000000000000';
const at = { timestamp: 1 };

it.each<[RunMessage, string, string]>([
  [
    { ...at, type: 'timer-set', unitId: 'wait', dueAt: 1_790_000_000_000 },
    'wait: waits until 2026-09-21T14:13:20.000Z',
    'faint',
  ],
  [{ ...at, type: 'timer-set', unitId: 'wait', dueAt: 1e300 }, 'wait: waits', 'faint'],
  [
    { ...at, type: 'child-started', unitId: 'pay', childRunId: RUN, workflowId: 'payment' },
    `pay: started the run ${RUN} of payment`,
    'faint',
  ],
  [
    { ...at, type: 'child-paused', unitId: 'pay', childRunId: RUN },
    `pay: waits: the run ${RUN} is paused`,
    'careful',
  ],
  [
    { ...at, type: 'child-ended', unitId: 'pay', childRunId: RUN, status: 'completed' },
    `pay: the run ${RUN} is completed`,
    'good',
  ],
  [
    { ...at, type: 'child-ended', unitId: 'pay', childRunId: RUN, status: 'failed' },
    `pay: the run ${RUN} has failed`,
    'bad',
  ],
  [
    { ...at, type: 'child-ended', unitId: 'pay', childRunId: RUN, status: 'cancelled' },
    `pay: the run ${RUN} was cancelled`,
    'bad',
  ],
  [
    { ...at, type: 'policy-violation', unitId: 'ask', violation: 'The run has used 20 of 15 tokens' },
    'ask: The run has used 20 of 15 tokens',
    'bad',
  ],
  [
    { ...at, type: 'run-paused', reason: 'requested', unitId: '', error: 'Paused by ann' },
    'run: paused (requested): Paused by ann',
    'careful',
  ],
  [
    { ...at, type: 'run-paused', reason: 'budget', unitId: 'ask', error: 'Resume it with a higher one' },
    'ask: paused (budget): Resume it with a higher one',
    'careful',
  ],
  [{ ...at, type: 'cancel-requested', by: 'ann' }, 'run: is being cancelled by ann', 'careful'],
  [{ ...at, type: 'run-cancelled', by: 'an\nn' }, 'run: cancelled by an n', 'bad'],
])('%j is told in one line', (message, line, tone) => {
  const told = messageLines()(message);
  expect([`${told?.subject}: ${told?.text}`, told?.tone]).toEqual([line, tone]);
});

it('a message of a newer server says nothing', () => {
  expect(messageLines()({ ...at, type: 'dreamt' } as never)).toBeNull();
});
