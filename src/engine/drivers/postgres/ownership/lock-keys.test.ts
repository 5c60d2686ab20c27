import { roleKey, shardKey, shardOfKey } from './lock-keys.js';

describe('the keys of locks', () => {
  it('of roles are the same in every build, and none is a shard’s', () => {
    const names = ['memory', 'families', 'retention', 'definitions', 'standing'];
    const keys = names.map(roleKey);
    expect(new Set(keys).size).toBe(names.length);
    expect(names.map(roleKey)).toEqual(keys);
    for (const key of keys) {
      expect(Number.isInteger(key)).toBe(true);
      expect(key).toBeGreaterThan(shardKey(255));
      expect(key).toBeLessThan(2 ** 31);
    }
  });

  it('of shards lead back to them', () => {
    expect([0, 63, 255].map((shard) => shardOfKey(shardKey(shard)))).toEqual([0, 63, 255]);
  });
});
