import { fromTheOldest } from './from-the-oldest.js';

describe('taking from the oldest on', () => {
  it('passes over what was deleted, and comes to what was added later last', () => {
    const items = new Set(['a', 'b', 'c']);
    const oldest = fromTheOldest(items);
    expect(oldest.next()).toBe('a');
    items.delete('b');
    items.add('d');
    expect([oldest.next(), oldest.next(), oldest.next()]).toEqual(['c', 'd', undefined]);
  });

  it('begins with the oldest again after it was stopped', () => {
    const items = new Map([
      ['a', 1],
      ['b', 2],
    ]);
    const oldest = fromTheOldest(items);
    oldest.next();
    items.delete('a');
    oldest.stop();
    expect(oldest.next()).toBe('b');
    oldest.stop();
    expect(oldest.next()).toBe('b');
  });
});
