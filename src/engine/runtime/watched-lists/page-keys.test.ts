import { SharedPageKeys, type PageKeys } from './page-keys.js';

const keysOf = (runs: Record<string, string[]>): PageKeys =>
  new Map(Object.entries(runs).map(([runId, keys]) => [runId, new Set(keys)]));

describe('what pages of a list are about', () => {
  it('is kept once where two are alike', () => {
    const shared = new SharedPageKeys();
    const first = shared.share('gates', keysOf({ a: ['1', '2'], b: ['3'] }));
    expect(shared.share('gates', keysOf({ b: ['3'], a: ['2', '1'] }))).toBe(first);
  });

  it('is kept once as far as two are alike', () => {
    const shared = new SharedPageKeys();
    const first = shared.share('gates', keysOf({ a: ['1'], b: ['2'], c: ['3'] }));
    const now = keysOf({ a: ['1'], b: ['2', '4'], d: ['5'] });
    const second = shared.share('gates', now);
    expect(second).toEqual(now);
    expect([second.get('a'), second.get('b')]).toEqual([first.get('a'), new Set(['2', '4'])]);
    expect(second.get('a')).toBe(first.get('a'));
    expect(first).toEqual(keysOf({ a: ['1'], b: ['2'], c: ['3'] }));
  });

  it('is another list’s own', () => {
    const shared = new SharedPageKeys();
    const gates = shared.share('gates', keysOf({ a: ['1'] }));
    expect(shared.share('runs', keysOf({ a: ['1'] }))).not.toBe(gates);
  });
});
