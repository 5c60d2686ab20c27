import fc from 'fast-check';
import { ReadyScopes } from './ready-scopes.js';

const moves = fc.array(fc.oneof({ weight: 3, arbitrary: fc.nat(9) }, fc.constant('take' as const)), {
  maxLength: 80,
});

describe('scopes that are ready', () => {
  it('come up once each, in the order in which they came, also those that are added meanwhile', () => {
    fc.assert(
      fc.property(moves, (all) => {
        const ready = new ReadyScopes();
        let expected: string[] = [];
        for (const move of all) {
          if (move === 'take') {
            expect(ready.take()).toBe(expected[0]);
            expected = expected.slice(1);
          } else {
            ready.add(`>/f#${move}`);
            if (!expected.includes(`>/f#${move}`)) expected.push(`>/f#${move}`);
          }
          expect(ready.left()).toEqual(expected);
          expect(ready.size).toBe(expected.length);
        }
      }),
    );
  });

  it('are known by an id that may be empty, as that of the root is', () => {
    const ready = new ReadyScopes();
    ready.add('');
    expect([ready.size, ready.take(), ready.take()]).toEqual([1, '', undefined]);
  });
});
