import type { JsonObject, RunRecord } from '../../../engine/index.js';
import { summarisedRecord } from './summarised-record.js';

type Result = NonNullable<RunRecord['result']>;

function record(parts: Partial<Result> = {}): RunRecord {
  const result: Result = {
    runId: 'r',
    completedUnits: ['a'],
    state: {},
    messages: [],
    duration: 1,
    tokenUsage: 0,
    cost: 0,
    ...parts,
  };
  return { runId: 'r', workflowId: 'a/b', status: 'completed', createdAt: 1, updatedAt: 2, result };
}

const message = (data: string): Result['messages'][number] => ({
  type: 'unit-output',
  timestamp: 1,
  sourceUnitId: 'a',
  data,
  attempt: 1,
});
const texts = (count: number, chars: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'x'.repeat(chars)]));

it('a short record is returned as it is', () => {
  const whole = record({ state: texts(10, 1_000), messages: [message('said')] });
  expect(summarisedRecord(whole)).toBe(whole);
  const { result: _result, ...failed } = { ...record(), status: 'failed' as const, error: 'as it must' };
  expect(summarisedRecord(failed)).toBe(failed);
});

it('of a long one every key is included or named, in order, up to the limits', () => {
  const state = texts(40, 10_000);
  const { result, omitted } = summarisedRecord(record({ state }));
  const kept = Object.keys(result!.state);
  expect(kept.length).toBeGreaterThan(0);
  expect([...kept, ...omitted!.state]).toEqual(Object.keys(state));
  expect(JSON.stringify(result).length).toBeLessThan(100_000);
});

it('a value that is long by itself is left out, and those after it are not', () => {
  const state = { before: 1, large: 'x'.repeat(400_000), after: [2] };
  const { result, omitted } = summarisedRecord(record({ state }));
  expect(result?.state).toEqual({ before: 1, after: [2] });
  expect(omitted?.state).toEqual(['large']);
});

it('no more than a hundred keys are named, none of them long', () => {
  const state = { ['k'.repeat(300_000)]: 1, ...texts(200, 20_000) };
  const { omitted } = summarisedRecord(record({ state }));
  expect(omitted?.state).toHaveLength(100);
  expect(omitted?.state[0]).toBe('k'.repeat(200));
});

it('the newest messages and units are included, and the number of the others', () => {
  const messages = Array.from({ length: 1_000 }, (_, i) => message(`${i} ${'x'.repeat(300)}`));
  const completedUnits = Array.from({ length: 3_000 }, (_, i) => `unit-${i}`);
  const { result, omitted } = summarisedRecord(record({ messages, completedUnits }));
  expect(result?.messages).toEqual(messages.slice(-50));
  expect(result?.completedUnits).toEqual(completedUnits.slice(-1_000));
  expect(omitted).toEqual({
    state: [],
    messages: 950,
    completedUnits: 2_000,
    path: '/workflows/a%2Fb/runs/r',
  });
});

it('if the newest message is long by itself none is included', () => {
  const messages = [message('short'), message('x'.repeat(400_000))];
  const { result, omitted } = summarisedRecord(record({ messages }));
  expect([result?.messages, omitted?.messages]).toEqual([[], 2]);
});

it('what else the record says stays', () => {
  const whole = record({ state: texts(40, 10_000), duration: 7, tokenUsage: 8, cost: 9 });
  expect(summarisedRecord(whole)).toMatchObject({
    runId: 'r',
    workflowId: 'a/b',
    status: 'completed',
    result: { runId: 'r', duration: 7, tokenUsage: 8, cost: 9 },
  });
});
