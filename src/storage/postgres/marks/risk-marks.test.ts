import { setImmediate } from 'node:timers/promises';
import { sampleRunId } from '../../../engine/testing/contract/run-store/support/sample-run.js';
import type { Columns, Query } from '../database/database.js';
import { RiskMarks } from './risk-marks.js';

const [RUN, OTHER] = [sampleRunId(1), sampleRunId(2)] as const;

/** Marks whose writes are recorded; time passes when it is told to. */
function marksOf() {
  const timers: (() => void)[] = [];
  const writes: { readonly begun: unknown; readonly ended: unknown; readonly cleared: unknown }[] = [];
  let found: readonly Columns[] = [];
  const query: Query = async (sql, values = []) => {
    await setImmediate();
    if (values.length === 7) {
      const [, , doing, lastSeqs, endedIds, endedDoing, cleared] = values as readonly (readonly unknown[])[];
      const begun = doing?.map((one, index) => `${String(one)} ${String(lastSeqs?.[index])}`);
      const ended = endedIds?.map((_, index) => endedDoing?.[index]);
      writes.push({ begun, ended, cleared });
    }
    return sql.includes('DISTINCT ON') ? found : [];
  };
  const marks = new RiskMarks(query, 'me', (callback) => {
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
  return { marks, writes, pass, timers, find: (rows: readonly Columns[]) => (found = rows) };
}

describe('the marks of runs at risk', () => {
  it('are written at once, and waited for', async () => {
    const { marks, writes, timers } = marksOf();
    await marks.mark({ runId: RUN, doing: 'turn', lastSeq: 4 });
    expect(writes).toEqual([{ begun: ['turn 4'], ended: [], cleared: [] }]);
    expect(timers).toEqual([]);
    expect(marks.mark({ runId: RUN, doing: 'turn', lastSeq: 4 })).toBeUndefined();
  });

  it('replace those before them, and are removed a moment after the end', async () => {
    const { marks, writes, pass } = marksOf();
    await marks.mark({ runId: RUN, doing: 'load', lastSeq: 4 });
    await marks.mark({ runId: RUN, doing: 'load', lastSeq: 6 });
    void marks.mark({ runId: RUN, doing: 'load', lastSeq: null });
    expect(writes).toHaveLength(2);
    await pass();
    expect(writes.slice(1)).toEqual([
      { begun: ['load 6'], ended: [], cleared: [] },
      { begun: [], ended: ['load'], cleared: [] },
    ]);
  });

  it('that never began are nothing to remove', () => {
    const { marks, timers } = marksOf();
    expect(marks.mark({ runId: RUN, doing: 'turn', lastSeq: null })).toBeUndefined();
    expect(timers).toEqual([]);
  });

  it('stay where a turn follows within the moment', async () => {
    const { marks, writes, pass } = marksOf();
    await marks.mark({ runId: RUN, doing: 'turn', lastSeq: 4 });
    void marks.mark({ runId: RUN, doing: 'turn', lastSeq: null });
    await marks.mark({ runId: RUN, doing: 'turn', lastSeq: 5 });
    await pass();
    expect(writes.slice(1)).toEqual([{ begun: ['turn 5'], ended: [], cleared: [RUN] }]);
  });

  it('reset the count of deaths with the end of a turn, and with nothing else', async () => {
    const { marks, writes, pass, find } = marksOf();
    find([{ run_id: OTHER, last_seq: 7, deaths: 2 }]);
    await expect(marks.leftBehind({ shards: null })).resolves.toEqual([
      { runId: OTHER, lastSeq: 7, deaths: 2 },
    ]);
    await marks.mark({ runId: OTHER, doing: 'load', lastSeq: 7 });
    void marks.mark({ runId: OTHER, doing: 'load', lastSeq: null });
    await pass();
    expect(writes.map(({ cleared }) => cleared)).toEqual([[], []]);
    void marks.mark({ runId: OTHER, doing: 'turn', lastSeq: null });
    await pass();
    expect(writes.at(-1)).toEqual({ begun: [], ended: [], cleared: [OTHER] });
    expect(marks.mark({ runId: OTHER, doing: 'turn', lastSeq: null })).toBeUndefined();
  });

  it('are not written any more after the end', async () => {
    const { marks, writes } = marksOf();
    await marks.forget();
    await marks.mark({ runId: RUN, doing: 'turn', lastSeq: 4 });
    expect(writes).toEqual([]);
  });
});
