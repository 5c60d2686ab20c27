import type { RunEvent } from '../../../../clients/typescript/src/types/events.js';
import { RunFold } from '../log/fold-events.js';
import { writtenKeys } from './written-keys.js';

const event = (seq: number, type: string, data: object, scope = ''): RunEvent => ({
  runId: 'r',
  workflowId: 'w',
  seq,
  at: seq,
  type,
  path: `/f/${seq}`,
  scope,
  data: JSON.parse(JSON.stringify(data)),
});

describe('the keys that a call wrote', () => {
  const fold = new RunFold();
  fold.take([
    event(1, 'run-started', { input: { total: 1 } }),
    event(2, 'unit-scheduled', { unitId: 'a' }),
    event(3, 'unit-finished', { executionId: 2, unitId: 'a', output: 'x', patch: { total: 2 } }),
    event(4, 'state-written', { unitId: 'set', values: { total: 9 } }, '>/f#0'),
    event(5, 'unit-scheduled', { unitId: 'a' }),
    event(6, 'unit-finished', { executionId: 5, unitId: 'a', output: 'y', patch: { total: 3, fresh: true } }),
  ]);
  const [first, , last] = fold.picture.executions;

  it('have the input before them at first', () => {
    expect(writtenKeys(fold.picture, first!)).toEqual([
      { key: 'output.a', after: 'x' },
      { key: 'total', before: 1, after: 2 },
    ]);
  });

  it('have then what was written last where they could see it, and nothing of another branch', () => {
    expect(writtenKeys(fold.picture, last!)).toEqual([
      { key: 'output.a', before: 'x', after: 'y' },
      { key: 'total', before: 2, after: 3 },
      { key: 'fresh', after: true },
    ]);
  });
});
