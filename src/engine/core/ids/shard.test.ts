import fc from 'fast-check';
import { byteInShard, inShard, shardByteOf, shardOf } from './shard.js';
import { lawCases } from '../../../../test/support/law-cases.js';

const byte = fc.integer({ min: 0, max: 255 });
/** A number of shards, and one of them. */
const shards = fc
  .integer({ min: 1, max: 256 })
  .chain((count) => fc.tuple(fc.integer({ min: 0, max: count - 1 }), fc.constant(count)));

describe('the shard of a run id', () => {
  it('is the one that the id was put into, whatever its last byte was', () => {
    fc.assert(
      fc.property(fc.uuid({ version: 7 }), shards, (id, [shard, count]) => {
        expect(shardOf(inShard(id, shard, count), count)).toBe(shard);
      }),
      { numRuns: lawCases(2_000) },
    );
  });

  it('can be any, of any number of lanes, from any byte', () => {
    for (let count = 1; count <= 256; count++) {
      for (const from of [0, 1, 127, 254, 255]) {
        for (const shard of [0, Math.floor(count / 2), count - 1]) {
          const chosen = byteInShard(from, shard, count);
          expect([chosen >= 0 && chosen <= 255, chosen % count]).toEqual([true, shard]);
        }
      }
    }
  });

  it('leaves all of a UUIDv7 but its last byte as it is, and that too where it fits', () => {
    fc.assert(
      fc.property(fc.uuid({ version: 7 }), shards, (id, [shard, count]) => {
        const put = inShard(id, shard, count);
        expect(put).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(put.slice(0, -2)).toBe(id.slice(0, -2));
        expect(inShard(id, shardOf(id, count), count)).toBe(id);
      }),
    );
  });

  it('is spread over all the bytes that belong to it', () => {
    const chosen = new Set(Array.from({ length: 256 }, (_, from) => byteInShard(from, 3, 16)));
    expect([...chosen].sort((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, i) => 3 + 16 * i));
  });

  it('is that of byte 0 where the id does not end in a byte in lower-case hex', () => {
    fc.assert(
      fc.property(byte, (value) => {
        expect(shardByteOf(`run-${value.toString(16).padStart(2, '0')}`)).toBe(value);
      }),
    );
    expect(['', 'f', 'run-FF', 'run-0g', 'run-a '].map(shardByteOf)).toEqual([0, 0, 0, 0, 0]);
  });
});
