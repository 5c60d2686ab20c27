import { assert, integer, property } from 'fast-check';
import { planShards, type ShardView } from './shard-plan.js';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, number) => number);

function plan(view: Partial<ShardView>) {
  return planShards({
    shardCount: 8,
    replicas: 1,
    owned: [],
    leaving: 0,
    free: [],
    isLeaving: false,
    isIdle: () => false,
    from: 0,
    ...view,
  });
}

describe('which shards a replica should have', () => {
  it('is all of them where it is alone', () => {
    expect(plan({ free: numbers(8) })).toEqual({ take: numbers(8), giveUp: [] });
  });

  it('is its share, rounded up, as far as it is free', () => {
    expect(plan({ replicas: 3, free: [1, 2, 4, 6, 7], owned: [0] }).take).toEqual([1, 2]);
    expect(plan({ replicas: 3, free: [7] }).take).toEqual([7]);
    expect(plan({ replicas: 3, free: [] })).toEqual({ take: [], giveUp: [] });
  });

  it('begins where others do not', () => {
    expect(plan({ replicas: 2, free: numbers(8), from: 6 }).take).toEqual([6, 7, 0, 1]);
  });

  it('is not what is above its share, from the last on', () => {
    expect(plan({ replicas: 3, owned: [0, 3, 4, 5, 7] })).toEqual({ take: [], giveUp: [7, 5] });
  });

  it('gives up idle ones before others', () => {
    expect(plan({ replicas: 4, owned: [0, 1, 2, 3, 4], isIdle: (shard) => shard % 2 === 1 }).giveUp).toEqual([
      3, 1, 4,
    ]);
  });

  it('takes nothing while it has its share, whatever is free', () => {
    expect(plan({ replicas: 2, owned: [0, 1, 2, 3], free: [4, 5, 6, 7] })).toEqual({ take: [], giveUp: [] });
  });

  it('moves at most sixteen at once', () => {
    const owned = numbers(64);
    expect(plan({ shardCount: 64, replicas: 2, owned }).giveUp).toHaveLength(16);
    expect(plan({ shardCount: 64, replicas: 2, owned, leaving: 10 }).giveUp).toHaveLength(6);
    expect(plan({ shardCount: 64, replicas: 2, owned, leaving: 20 }).giveUp).toHaveLength(0);
  });

  it('is nothing once it leaves', () => {
    expect(plan({ isLeaving: true, owned: [2, 5], free: [0, 1] })).toEqual({ take: [], giveUp: [5, 2] });
    expect(plan({ isLeaving: true, free: [0, 1] })).toEqual({ take: [], giveUp: [] });
  });

  it('comes to rest with every shard owned, and none above its share, however many there are', () => {
    assert(
      property(integer({ min: 1, max: 256 }), integer({ min: 1, max: 80 }), (shardCount, replicas) => {
        const owners = new Map<number, number>();
        const ownedBy = (replica: number) =>
          numbers(shardCount).filter((shard) => owners.get(shard) === replica);
        // At first the first has everything.
        for (const shard of numbers(shardCount)) owners.set(shard, 0);
        for (let round = 0; round < 20; round += 1) {
          for (const replica of numbers(replicas)) {
            const { take, giveUp } = plan({
              shardCount,
              replicas,
              owned: ownedBy(replica),
              free: numbers(shardCount).filter((shard) => !owners.has(shard)),
              from: replica * 7,
            });
            for (const shard of giveUp) owners.delete(shard);
            for (const shard of take) owners.set(shard, replica);
          }
        }
        expect(owners.size).toBe(shardCount);
        const share = Math.ceil(shardCount / replicas);
        for (const replica of numbers(replicas)) expect(ownedBy(replica).length).toBeLessThanOrEqual(share);
      }),
      { numRuns: 30 },
    );
  });
});
