import type { RunItem } from 'flowgate-client/remote';
import { failureGroups } from './failure-group.js';

const failed = (runId: string, error: string | null, more: Partial<RunItem> = {}) =>
  ({ runId, workflowId: 'refund', status: 'failed', cancelled: false, error, ...more }) as RunItem;

it('failures of one kind are one group, whatever ids and numbers are in them; the largest comes first', () => {
  const runs = [
    failed('a', 'ship: no address'),
    failed('b', 'pay: HTTP 503 for 0199a3c4-1111-7222-8333-444455556666'),
    failed('c', 'pay: HTTP 503 for 0199a3c4-9999-7222-8333-444455557777'),
  ];
  expect(failureGroups(runs)).toEqual([
    { workflowId: 'refund', error: 'pay: HTTP 503 for …', runIds: ['b', 'c'] },
    { workflowId: 'refund', error: 'ship: no address', runIds: ['a'] },
  ]);
});

it('the status of an answer is what tells two failures apart', () => {
  expect(failureGroups([failed('a', 'pay: HTTP 503'), failed('b', 'pay: HTTP 404')])).toHaveLength(2);
});

it('what somebody cancelled, and what goes on, has not failed', () => {
  const runs = [failed('a', 'x', { cancelled: true }), failed('b', null, { status: 'running' })];
  expect(failureGroups(runs)).toEqual([]);
});

it('workflows fail by themselves', () => {
  expect(failureGroups([failed('a', 'x'), failed('b', 'x', { workflowId: 'other' })])).toHaveLength(2);
});
