import { readFileSync } from 'node:fs';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

/** What a token is, light and dark. */
function token(name: string): readonly [string, string] {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css) ?? [];
  if (light === undefined || dark === undefined) throw new Error(`tokens.css has no --${name}`);
  return [light, dark];
}

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

it('the grounds and the text are those of the issue', () => {
  expect([token('ground'), token('text')]).toEqual([
    ['#fbfcfd', '#0e1116'],
    ['#17202c', '#e6ebf2'],
  ]);
});

const STATES = ['running', 'gate', 'paused', 'retrying', 'completed', 'failed', 'accent'];
const GROUNDS = ['ground', 'surface', 'sunken', 'hover', 'selected'];

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('%s', (_name, at) => {
  it.each(GROUNDS)('on %s every text can be read', (ground) => {
    const on = (name: string) => contrast(token(name)[at]!, token(ground)[at]!);
    expect(on('text')).toBeGreaterThanOrEqual(12);
    expect(on('muted')).toBeGreaterThanOrEqual(ground === 'ground' || ground === 'surface' ? 5.5 : 5);
    for (const state of STATES) expect([state, on(state) >= 4.8]).toEqual([state, true]);
  });

  it.each(['ground', 'surface'])('the border of a control can be seen on %s', (ground) => {
    expect(contrast(token('control')[at]!, token(ground)[at]!)).toBeGreaterThanOrEqual(3.5);
  });

  it('a button that is filled can be read', () => {
    expect(contrast(token('on-accent')[at]!, token('accent')[at]!)).toBeGreaterThanOrEqual(4.8);
    for (const name of ['completed', 'gate'])
      expect(contrast(token('ground')[at]!, token(name)[at]!)).toBeGreaterThanOrEqual(4.8);
  });
});
