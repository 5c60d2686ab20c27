import { nearNames } from './near-names.js';

describe('the names that could have been meant', () => {
  it.each([
    ['orders', ['order', 'type'], ['order']],
    ['oredr', ['order', 'type'], ['order']],
    ['Routes', ['routes'], ['routes']],
    ['acme.extrakt', ['acme.extract', 'acme.export', 'other'], ['acme.extract', 'acme.export']],
    ['zzz', ['order', 'type'], []],
    ['', ['order'], []],
  ])('for %j among %j are %j', (name, known, near) => {
    expect(nearNames(name, known, 3)).toEqual(near);
  });

  it('are the nearest first, and no more than asked for', () => {
    expect(nearNames('unit', ['units', 'unit2', 'uniti', 'unit'], 2)).toEqual(['unit', 'units']);
  });

  it('are none for a name of a megabyte, at once', () => {
    expect(nearNames('x'.repeat(1_000_000), ['x'.repeat(999_999)])).toEqual([]);
  });
});
