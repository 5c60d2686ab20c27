import { bytesOf } from './shard-bytes.js';

describe('the bytes of shards', () => {
  it.each([
    ['one of 64', { count: 64, lanes: [3] }, [3, 67, 131, 195]],
    ['two of 100', { count: 100, lanes: [60, 50] }, [50, 60, 150, 160, 250]],
    ['one of 256', { count: 256, lanes: [255] }, [255]],
    ['none', { count: 64, lanes: [] }, []],
  ])('are, of %s, those of its ids', (_which, shards, bytes) => {
    expect(bytesOf(shards)).toEqual(bytes);
  });

  it('are all 256 where no shards are named, or all', () => {
    expect(bytesOf(null)).toHaveLength(256);
    expect(bytesOf({ count: 3, lanes: [2, 0, 1] })).toEqual(bytesOf(null));
  });
});
