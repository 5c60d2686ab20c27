import { ProgramCache, type Evictable } from './program-cache.js';

class Program implements Evictable {
  wasUsed = false;
  isThere = true;
  constructor(readonly size: number) {}
  drop(): void {
    this.isThere = false;
  }
}

describe('the cache of compiled programs', () => {
  it('drops the oldest that was not used when it is full', () => {
    const shelf = new ProgramCache(30);
    const [a, b, c, d] = [new Program(10), new Program(10), new Program(10), new Program(10)];
    for (const program of [a, b, c]) shelf.add(program);
    a.wasUsed = true;
    shelf.add(d);
    expect([a, b, c, d].map(({ isThere }) => isThere)).toEqual([true, false, true, true]);
  });

  it('drops a used one as well when all are', () => {
    const shelf = new ProgramCache(30);
    const programs = Array.from({ length: 10 }, () => new Program(10));
    for (const program of programs) {
      program.wasUsed = true;
      shelf.add(program);
    }
    expect(programs.filter(({ isThere }) => isThere)).toHaveLength(3);
    expect(programs.at(-1)?.isThere).toBe(true);
  });

  it('keeps nothing of one that is larger than the whole', () => {
    const shelf = new ProgramCache(30);
    const huge = new Program(31);
    shelf.add(huge);
    expect(huge.isThere).toBe(false);
  });
});
