import type { RunRecord } from '../../../run-record.js';
import { CoalescedRecords, type BuiltRecord } from './coalesced-records.js';

const built = (stateChars: number): BuiltRecord => {
  const record: RunRecord = { runId: 'a', workflowId: 'w', status: 'completed', createdAt: 1, updatedAt: 2 };
  return { record, stateChars };
};

describe('a record that many ask for', () => {
  it('is built once for all who ask in the meantime, and frozen', async () => {
    const records = new CoalescedRecords();
    let builds = 0;
    const build = async () => ((builds += 1), built(10));
    const [one, other] = await Promise.all([records.get('a', 7, build), records.get('a', 7, build)]);
    expect([builds, one === other, Object.isFrozen(one)]).toEqual([1, true, true]);
    await records.get('a', 8, build);
    expect(builds).toBe(2);
  });

  it('is the same for those who come later, where it is large and still used', async () => {
    const records = new CoalescedRecords();
    const large = await records.get('a', 7, async () => built(1_000_000));
    expect(await records.get('a', 7, async () => built(1_000_000))).toBe(large);
    const small = await records.get('b', 7, async () => built(10));
    expect(await records.get('b', 7, async () => built(10))).not.toBe(small);
  });

  it('is built again after it could not be', async () => {
    const records = new CoalescedRecords();
    const broken = records.get('a', 7, () => Promise.reject(new Error('the store is gone')));
    await expect(broken).rejects.toThrow('the store is gone');
    expect(await records.get('a', 7, async () => built(10))).toMatchObject({ runId: 'a' });
  });
});
