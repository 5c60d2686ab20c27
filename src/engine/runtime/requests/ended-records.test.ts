import type { RunRecord } from '../../run-record.js';
import { EndedRecords } from './ended-records.js';

const MIB = 1024 * 1024;

function recordOf(runId: string, chars = 10): RunRecord {
  const status = 'failed';
  return { runId, workflowId: 'w', status, createdAt: 1, updatedAt: 2, error: 'x'.repeat(chars) };
}

describe('records of ended runs', () => {
  it('are there again for the same last event, and frozen', () => {
    const records = new EndedRecords();
    const record = recordOf('a');
    records.put(record, 1_000);
    expect(records.get('a', 1_000)).toBe(record);
    expect(Object.isFrozen(record)).toBe(true);
    expect(records.get('a', 1_001)).toBeNull();
    expect(records.get('b', 1_000)).toBeNull();
  });

  it('are not kept of short runs, which are folded as fast as they are found', () => {
    const records = new EndedRecords();
    records.put(recordOf('a'), 499);
    expect(records.get('a', 499)).toBeNull();
  });

  it('take a bounded place: what nobody asked for longest goes', () => {
    const records = new EndedRecords();
    for (const runId of ['a', 'b', 'c']) records.put(recordOf(runId, 5 * MIB), 1_000);
    expect(records.get('a', 1_000)).not.toBeNull();
    records.put(recordOf('d', 5 * MIB), 1_000);
    expect(['a', 'b', 'c', 'd'].filter((runId) => records.get(runId, 1_000) !== null)).toEqual([
      'a',
      'c',
      'd',
    ]);
  });

  it('that are larger than that place are not kept, and push out nothing', () => {
    const records = new EndedRecords();
    records.put(recordOf('a'), 1_000);
    records.put(recordOf('b', 17 * MIB), 1_000);
    expect(records.get('b', 1_000)).toBeNull();
    expect(records.get('a', 1_000)).not.toBeNull();
  });

  it('replace what was kept of the same run', () => {
    const records = new EndedRecords();
    for (let seq = 1_000; seq < 1_010; seq++) records.put(recordOf('a', 5 * MIB), seq);
    expect(records.get('a', 1_009)).not.toBeNull();
    records.put(recordOf('b', 5 * MIB), 1_000);
    expect(records.get('a', 1_009)).not.toBeNull();
  });
});
