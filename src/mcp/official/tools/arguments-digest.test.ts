import fc from 'fast-check';
import { canonicalJson } from '../../../engine/json/canonical-json.js';
import { digestOf } from './arguments-digest.js';

describe('what stands for the arguments of a call', () => {
  it('is the same for arguments whose canonical JSON is the same, and for no others', async () => {
    const fields = fc.dictionary(fc.string(), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(fields, fields, async (one, other) => {
        const shuffled = Object.fromEntries(Object.entries(one).toReversed());
        expect(await digestOf(shuffled)).toBe(await digestOf(one));
        const areSame = canonicalJson(one as never) === canonicalJson(other as never);
        expect((await digestOf(one)) === (await digestOf(other))).toBe(areSame);
      }),
    );
  });

  it.each([
    [{ a: 1 }, { a: '1' }],
    [{ a: [] }, { a: {} }],
    [{ a: ['b', 'c'] }, { a: ['b,c'] }],
    [{ a: null }, {}],
    [{ a: [1, 2] }, { a: [2, 1] }],
    [{ a: { b: 1 }, c: 2 }, { a: { b: 1, c: 2 } }],
  ])('distinguishes %j from %j', async (one, other) => {
    expect(await digestOf(one)).not.toBe(await digestOf(other));
  });

  it('yields to the event loop where they are long', async () => {
    let turns = 0;
    const going = setInterval(() => (turns += 1), 0);
    await digestOf({ rows: Array.from({ length: 400_000 }, (_, n) => ({ n })) });
    clearInterval(going);
    expect(turns).toBeGreaterThan(3);
  });

  it('is found of what is nested more deeply than a stack', async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 200_000; level += 1) deep = [deep];
    expect(await digestOf({ deep })).toHaveLength(43);
  });
});
