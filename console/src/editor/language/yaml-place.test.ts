import { placeAt, type YamlPlace } from './yaml-place.js';

/** The position is where the bar stands. */
function placeIn(text: string): YamlPlace & { readonly path: string; readonly word: string } {
  const position = text.indexOf('|');
  const whole = text.slice(0, position) + text.slice(position + 1);
  const place = placeAt(whole, position);
  const path = place.frames.map((frame) => (frame.kind === 'list' ? '-' : (frame.key ?? '?'))).join(' ');
  return { ...place, path, word: whole.slice(place.from, position) };
}

const entriesIn = (place: YamlPlace): Record<string, string> => {
  const inner = place.frames.findLast(({ kind }) => kind === 'map');
  return inner?.kind === 'map' ? Object.fromEntries(inner.entries) : {};
};

describe('where somebody writes, in lines', () => {
  it.each([
    ['ap|', '?', 'key', 'ap'],
    ['spec:\n  un|', 'spec ?', 'key', 'un'],
    ['spec:\n  units:\n    - id: a\n      us|', 'spec units - ?', 'key', 'us'],
    ['spec:\n  units:\n    - id: a\n      uses: builtin.m|', 'spec units - uses', 'value', 'builtin.m'],
    ['spec:\n  units:\n  - id: a\n    uses: "bui|', 'spec units - uses', 'value', 'bui'],
    ['spec:\n  flow:\n    order:\n      - fir|', 'spec flow order -', 'item', 'fir'],
    ['spec:\n  flow:\n    order:\n      - - a\n        - b|', 'spec flow order - -', 'item', 'b'],
    ['a:\n  b: c\n|', '?', 'key', ''],
    ['spec:\n  policy:\n    # why\n\n    |', 'spec policy ?', 'key', ''],
  ])('%j is %s', (text, path, at, word) => {
    expect(placeIn(text)).toMatchObject({ path, at, word, isFlow: false });
  });

  it('knows what stands next to it, above and below', () => {
    const place = placeIn('flow:\n  |\n  type: race\n  units: [a]\nother: x');
    expect(entriesIn(place)).toEqual({ type: 'race', units: '' });
    expect(entriesIn(placeIn('- id: a\n  uses: x # y\n  |\n- id: b'))).toEqual({ id: 'a', uses: 'x' });
  });

  it('offers nothing in comments, in texts over several lines, and right behind a colon', () => {
    for (const text of ['a: 1 # b|', '# |', 'a: |-\n  b: c', 'a:|'])
      expect(placeIn(text.replace('a: |-\n  b: c', 'a: >-\n  b: |')).at).toBe('nothing');
  });

  it('knows an expression, and what of it is written', () => {
    expect(placeIn("title: 'Pay ${{ input.am|").expression).toBe(' input.am');
    expect(placeIn('title: ${{ input.amount }} to |').expression).toBeNull();
    expect(placeIn('- { id: a, with: "${{ vars.|" }').expression).toBe(' vars.');
  });
});

describe('where somebody writes, in brackets', () => {
  it.each([
    ['units:\n  - { id: a, us|', 'units - ?', 'key', 'us'],
    ['units:\n  - { id: a, uses: bui|', 'units - uses', 'value', 'bui'],
    ['flow:\n  order: [a, { type: par|', 'flow order - type', 'value', 'par'],
    ['flow:\n  order: [a, b|]', 'flow order -', 'item', 'b'],
    ['units:\n  - {\n      id: a,\n      us|\n    }\n', 'units - ?', 'key', 'us'],
    ['{"spec":{"units":[{"id":"a","uses":"|"}]}}', 'spec units - uses', 'value', ''],
    ["a: { b: 'x, y', c: { d: 1 }, |", 'a ?', 'key', ''],
  ])('%j is %s', (text, path, at, word) => {
    expect(placeIn(text)).toMatchObject({ path, at, word, isFlow: true });
  });

  it('knows what stands before it and behind it', () => {
    expect(entriesIn(placeIn('{ id: a, |, uses: builtin.mock, config: { b: 1 } }'))).toEqual({
      id: 'a',
      uses: 'builtin.mock',
      config: '',
    });
  });

  it('is outside once they are closed', () => {
    expect(placeIn('a: { b: 1 } |').at).toBe('nothing');
  });
});

it('comes through any beginning of a document, and a position in the middle of anything', () => {
  const text = 'a:\n  - { b: "c", d: [1, \'x\'] } # e\n  - |\n    f: ${{ g }}\n"h": >\n  i\n';
  for (let at = 0; at <= text.length; at++) {
    for (const { from } of [placeAt(text, at), placeAt(text.slice(0, at), at)]) {
      expect(from).toBeGreaterThanOrEqual(0);
      expect(from).toBeLessThanOrEqual(at);
    }
  }
});
