import type { RunRecord } from '../../../run-record.js';
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

  it('take bounded memory: what was not requested for longest goes', () => {
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

  it('that are larger than the bound are not kept, and push out nothing', () => {
    const records = new EndedRecords();
    records.put(recordOf('a'), 1_000);
    records.put(recordOf('b', 17 * MIB), 1_000);
    expect(records.get('b', 1_000)).toBeNull();
    expect(records.get('a', 1_000)).not.toBeNull();
  });

  it('give way to their text, which is made once for all who ask in the meantime', async () => {
    const records = new EndedRecords();
    records.put(recordOf('a', 5 * MIB), 1_000);
    let times = 0;
    const encode = async (): Promise<Uint8Array> => ((times += 1), Buffer.from('the text'));
    const [one, other] = await Promise.all([
      records.text('a', 1_000, encode),
      records.text('a', 1_000, encode),
    ]);
    expect([times, one === other, records.text('a', 1_000, encode)]).toEqual([1, true, one]);
    expect(records.get('a', 1_000)).toBeNull();
    expect([records.text('a', 1_001, encode), records.text('b', 1_000, encode)]).toEqual([null, null]);
    // The memory of the record is free again.
    for (const runId of ['b', 'c', 'd']) records.put(recordOf(runId, 5 * MIB), 1_000);
    expect(records.text('a', 1_000, encode)).toBe(one);
  });

  it('stay where their text could not be made, and it is tried again', async () => {
    const records = new EndedRecords();
    records.put(recordOf('a'), 1_000);
    const broken = async (): Promise<Uint8Array> => Promise.reject(new Error('no memory'));
    await expect(records.text('a', 1_000, broken)).rejects.toThrow('no memory');
    expect(records.get('a', 1_000)).not.toBeNull();
    const text = Buffer.from('x');
    expect(await records.text('a', 1_000, async () => text)).toBe(text);
  });

  it('stay where their text is larger than the bound, or another record came in the meantime', async () => {
    const records = new EndedRecords();
    records.put(recordOf('a'), 1_000);
    await records.text('a', 1_000, async () => new Uint8Array(17 * MIB));
    expect(records.get('a', 1_000)).not.toBeNull();
    const late = records.text('a', 1_000, async () => {
      records.put(recordOf('a'), 1_001);
      return Buffer.from('of before');
    });
    await late;
    expect([records.get('a', 1_000), records.get('a', 1_001)?.runId]).toEqual([null, 'a']);
  });

  it('replace what was kept of the same run', () => {
    const records = new EndedRecords();
    for (let seq = 1_000; seq < 1_010; seq++) records.put(recordOf('a', 5 * MIB), seq);
    expect(records.get('a', 1_009)).not.toBeNull();
    records.put(recordOf('b', 5 * MIB), 1_000);
    expect(records.get('a', 1_009)).not.toBeNull();
  });
});
