import * as fc from 'fast-check';
import { childPointer, pointerTokens, readablePath } from './json-pointer.js';

describe('a JSON pointer', () => {
  it('gives back the tokens that it was built from', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('~', '/', '~1', '~0', '~01'))), (tokens) => {
        const pointer = tokens.reduce<string>((parent, token) => childPointer(parent, token), '');
        expect(pointerTokens(pointer)).toEqual(tokens);
      }),
    );
  });

  it.each([
    ['', 'the document'],
    ['/spec/units/2/uses', 'spec.units[2].uses'],
    ['/spec/flow/routes/a b/order/0', 'spec.flow.routes["a b"].order[0]'],
    ['/a~1b', '["a/b"]'],
  ])('%j reads as %s', (pointer, path) => {
    expect(readablePath(pointer)).toBe(path);
  });

  it('reads as its end when it is long', () => {
    const path = readablePath(`${'/do'.repeat(1_000)}/uses`);
    expect(path).toMatch(/^….*do\.do\.uses$/);
    expect(path.length).toBeLessThan(210);
  });
});
