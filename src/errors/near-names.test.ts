import { editDistance, nearNames } from './near-names.js';

const oneInThree = { typos: (letters: number) => Math.max(1, Math.floor(letters / 3)) };

describe('the distance of two names', () => {
  it.each([
    ['input', 'input', 0],
    ['input', 'inputs', 1],
    ['sync', 'synch', 1],
    ['yaml', 'yml', 1],
    ['responder', 'repsonder', 1],
    ['approval', 'approved', 2],
    ['', 'id', 2],
    ['ab', 'ba', 1],
  ])('%j and %j: %i', (one, other, distance) => {
    expect([editDistance(one, other), editDistance(other, one)]).toEqual([distance, distance]);
  });
});

describe('the near names', () => {
  it('are the nearest first, and no more than required', () => {
    const known = ['units', 'unit2', 'uniti', 'unit'];
    expect(nearNames('unit', known, { ...oneInThree, limit: 2 })).toEqual(['unit', 'units']);
    expect(nearNames('unit', known, oneInThree)).toEqual(['unit']);
  });

  it('allow as many typos as the caller says', () => {
    expect(nearNames('snapshot', ['snapshotId'], { typos: () => 1 })).toEqual([]);
    expect(nearNames('snapshot', ['snapshotId'], { typos: () => 2 })).toEqual(['snapshotId']);
  });

  it('are none for a name of a megabyte, at once', () => {
    expect(nearNames('x'.repeat(1_000_000), ['x'.repeat(999_999)], oneInThree)).toEqual([]);
  });
});
