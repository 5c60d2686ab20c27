import { correctionOf } from './near-name.js';

/** The line once it is corrected; null: there is no correction. */
function corrected(message: string, line: string, column = 1): string | null {
  const correction = correctionOf(message, line, column);
  if (correction === null) return null;
  return line.slice(0, correction.from) + correction.insert + line.slice(correction.to);
}

describe('the correction of a fault', () => {
  it.each([
    ['no unit answers to builtin.mok: did you mean builtin.mock?', '      uses: builtin.mok', 13],
    ['no unit answers to mock: did you mean builtin.mock?', '      uses: mock', 13],
    ['spec has an unknown field `uints`: did you mean `builtin.mock`?', '- { uses: builtin.mokc, x: 1 }', 5],
  ])('%s', (message, line, column) => {
    expect(corrected(message, line, column)).toContain('uses: builtin.mock');
  });

  it('keeps the rest of the line', () => {
    expect(corrected('did you mean `units`?', '  unis: [] # unis', 3)).toBe('  units: [] # unis');
    expect(corrected('`a` is unknown: did you mean vars.total?', 'if: vars.totl > 1 && x', 5)).toBe(
      'if: vars.total > 1 && x',
    );
  });

  it('takes the nearest of several names', () => {
    expect(corrected('did you mean acme.charge or acme.change?', 'uses: acme.chage', 7)).toMatch(
      /acme\.cha[rn]ge/,
    );
  });

  it('is none without a name, and none where nothing in the line is near', () => {
    expect(corrected('it is required', 'uses: x')).toBeNull();
    expect(corrected('did you mean `policyOverrides: { retry: … }`?', 'retry: 1')).toBeNull();
    expect(corrected('did you mean `units`?', 'something: else')).toBeNull();
  });

  it('is found in a line of 2 MiB, around the fault', () => {
    const line = `${'x '.repeat(1_000_000)}unis`;
    expect(correctionOf('did you mean `units`?', line, 2_000_001)).toEqual({
      from: 2_000_000,
      to: 2_000_004,
      insert: 'units',
    });
  });
});
