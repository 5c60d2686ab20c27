import { setImmediate } from 'node:timers/promises';
import type { CallMark } from '../../../engine/ports/store/crash-journal.js';
import { sampleRunId } from '../../../engine/testing/contract/run-store/support/sample-run.js';
import type { Columns, Query } from '../database/database.js';
import { CallMarks } from './call-marks.js';

const call = (attempt: number): CallMark => ({ runId: sampleRunId(1), executionId: 3, attempt });

/** Marks whose statements are recorded, as the attempts that they write and remove; time passes when it is told to. */
function marksOf() {
  const timers: (() => void)[] = [];
  const statements: (readonly [begun: readonly unknown[], ended: readonly unknown[]])[] = [];
  let failure: Error | null = null;
  const query: Query = async (_sql, values = []) => {
    await setImmediate();
    if (failure !== null) throw failure;
    statements.push([values[3] as readonly unknown[], values[6] as readonly unknown[]]);
    return [];
  };
  const marks = new CallMarks(query, 'me', (callback) => {
    timers.push(callback);
    return () => undefined;
  });
  const settled = async (): Promise<void> => {
    for (let rounds = 0; rounds < 6; rounds += 1) await setImmediate();
  };
  const pass = async (): Promise<void> => {
    for (const callback of timers.splice(0)) callback();
    await settled();
  };
  return { marks, statements, pass, failWith: (error: Error | null) => (failure = error) };
}

const begin = (marks: CallMarks, ...attempts: readonly number[]) =>
  marks.mark({ begun: attempts.map(call), ended: [] });
const end = (marks: CallMarks, ...attempts: readonly number[]) =>
  marks.mark({ begun: [], ended: attempts.map(call) });

describe('the marks of calls', () => {
  it('are written together after a moment, and removed together', async () => {
    const { marks, statements, pass } = marksOf();
    const marked = begin(marks, 1);
    void begin(marks, 2, 3);
    await pass();
    await marked;
    void end(marks, 1, 2);
    void begin(marks, 4);
    await pass();
    expect(statements).toEqual([
      [[1, 2, 3], []],
      [[4], [1, 2]],
    ]);
  });

  it('of a call that is over by then are not written at all', async () => {
    const { marks, statements, pass } = marksOf();
    void begin(marks, 1);
    void end(marks, 1);
    void marks.mark({ begun: [call(2)], ended: [call(2)] });
    await pass();
    expect(statements).toEqual([]);
    expect(end(marks, 7)).toBeUndefined();
  });

  it('that change while they are written are right afterwards', async () => {
    const { marks, statements, pass } = marksOf();
    void begin(marks, 1);
    const passing = pass();
    void end(marks, 1);
    await passing;
    await pass();
    expect(statements).toEqual([
      [[1], []],
      [[], [1]],
    ]);
  });

  it('are written again after a fault, which a check shows', async () => {
    const { marks, statements, pass, failWith } = marksOf();
    failWith(new Error('no'));
    const marked = begin(marks, 1);
    await pass();
    await marked;
    await expect(marks.verify()).rejects.toThrow('no');
    failWith(null);
    await marks.verify();
    expect(statements).toEqual([[[1], []]]);
  });

  it('of many calls are written a thousand at a time', async () => {
    const { marks, statements, pass } = marksOf();
    void begin(marks, ...Array.from({ length: 2_500 }, (_, index) => index));
    await pass();
    expect(statements.map(([begun]) => begun.length)).toEqual([1_000, 1_000, 500]);
  });

  it('of others are not lost with the answer by which they were taken', async () => {
    const rows = [{ run_id: sampleRunId(1), execution_id: 3, attempt: 1 }];
    let table: readonly Columns[] = rows;
    let isLost = true;
    const marks = new CallMarks(async (sql) => {
      const found = table;
      if (sql.includes('DELETE')) {
        table = [];
        if (isLost) throw new Error('The connection broke');
      }
      return found;
    }, 'me');
    await expect(marks.leftBehind({ shards: null })).rejects.toThrow('broke');
    isLost = false;
    // Of other shards nobody is told.
    await expect(marks.leftBehind({ shards: { count: 256, lanes: [0x77] } })).resolves.toEqual([]);
    await expect(marks.leftBehind({ shards: null })).resolves.toEqual([call(1)]);
    await expect(marks.leftBehind({ shards: null })).resolves.toEqual([]);
  });

  it('of runs with other ids are left out', () => {
    const { marks } = marksOf();
    expect(marks.mark({ begun: [{ ...call(1), runId: 'run' }], ended: [] })).toBeUndefined();
  });

  it('are not written any more after the end', async () => {
    const { marks, statements, pass } = marksOf();
    void begin(marks, 1);
    await marks.forget();
    await pass();
    await begin(marks, 2);
    expect(statements).toEqual([]);
  });
});
