import { readFileSync } from 'node:fs';
import type { JsonValue } from '../../clients/typescript/src/types/json.js';
import { flowTreeOf } from '../../console/src/run/flow/flow-tree.js';
import { pictureOf, type DiagramBox } from '../../tools/pictures/drawing/diagram.ts';
import { svgOf } from '../../tools/pictures/drawing/svg.ts';
import { wrapped } from '../../tools/pictures/drawing/text-width.ts';
import { flowPicture } from '../../tools/pictures/flows/flow-picture.ts';
import { documentsIn } from '../../tools/pictures/flows/page-documents.ts';
import { inkOf, isWithin } from './support/svg-ink.js';

/** A line ends within its head. */
const HEAD = 8;

const words = { name: 'tried', title: 'Tried', description: 'A picture that is only tried.' };
const box = (x: number, y: number, more: Partial<DiagramBox> = {}): DiagramBox => ({
  x,
  y,
  width: 100,
  height: 40,
  title: 'one',
  ...more,
});
const diagram = (boxes: Readonly<Record<string, DiagramBox>>) => ({
  ...words,
  width: 400,
  height: 300,
  boxes,
});

describe('a diagram', () => {
  it('refuses a text that its box has no room for, and says how much it needs', () => {
    const boxes = { one: box(0, 0, { title: 'a title that is much too long' }) };
    expect(() => pictureOf(diagram(boxes))).toThrow(/needs \d+ pixels and its box has 100: widen it/);
  });

  it('refuses an arrow to a box that there is not', () => {
    const arrows = [{ from: ['one', 'right'], to: ['two', 'left'] }] as const;
    expect(() => pictureOf({ ...diagram({ one: box(0, 0) }), arrows })).toThrow(
      'add "two", or name another one',
    );
  });

  it('leads from border to border, at right angles', () => {
    const arrows = [{ from: ['one', 'bottom'], to: ['two', 'top'] }] as const;
    const svg = svgOf(
      pictureOf({ ...diagram({ one: box(20, 20), two: box(220, 160, { title: 'two' }) }), arrows }),
    );
    const { lines } = inkOf(svg);
    expect(lines[0]).toMatchObject({ left: 70, top: 60 });
    expect(lines.at(-1)).toMatchObject({ right: 270, bottom: 154 });
    expect(
      lines.some(({ left, right, top, bottom }) => top === 110 && bottom === 110 && right - left > 180),
    ).toBe(true);
  });

  it('has its words as text, whatever signs are in them', () => {
    const svg = svgOf(pictureOf(diagram({ one: box(0, 0, { title: 'a < b & c' }) })));
    expect(svg).toContain('>a &lt; b &amp; c</text>');
    expect(inkOf(svg).texts.map(({ text }) => text)).toEqual(['a < b & c']);
  });
});

it('a note has its words on as many lines as it needs', () => {
  expect(wrapped('one two three', 1_000, { size: 14 })).toEqual(['one two three']);
  expect(wrapped('one two three', 60, { size: 14 })).toEqual(['one two', 'three']);
  expect(wrapped('one', 1, { size: 14 })).toEqual(['one']);
});

describe('the drawing of a flow', () => {
  const documents = ['docs/language.md', 'docs/patterns.md'].flatMap((page) => [
    ...documentsIn(readFileSync(page, 'utf8')),
  ]);
  const inkOfFlow = (document: JsonValue) =>
    inkOf(svgOf(flowPicture({ ...words, document, note: 'Any flow.' })));

  it.each(documents)('of the example %s has each of its units, within the picture', (_id, document) => {
    const { texts, width, height } = inkOfFlow(document);
    const all = { left: 0, top: 0, right: width, bottom: height };
    expect(texts.filter((text) => !isWithin(text, all))).toEqual([]);
    const nodes = [...(flowTreeOf(document)?.nodes.values() ?? [])];
    const unitIds = nodes
      .filter(({ path }) => path.startsWith('/spec/flow'))
      .flatMap(({ unitId }) => unitId ?? []);
    expect(unitIds.length).toBeGreaterThan(0);
    const shown = new Set(texts.map(({ text }) => text));
    expect(unitIds.filter((unitId) => !shown.has(unitId))).toEqual([]);
  });

  /** What a try catches arrives from below, and the cards of a foreach stand behind one another. */
  const isReachedFromAbove = (document: JsonValue): boolean =>
    !/"type":"(?:try|foreach)"/.test(JSON.stringify(document));

  it.each(documents.filter(([, document]) => isReachedFromAbove(document)))(
    'of the example %s has a line to everything that runs',
    (_id, document) => {
      const { boxes, lines } = inkOfFlow(document);
      const unreached = boxes.filter(
        (area) =>
          !lines.some(
            ({ left, right, bottom }) =>
              left === right && left > area.left && right < area.right && Math.abs(area.top - bottom) <= HEAD,
          ),
      );
      expect(unreached).toEqual([]);
    },
  );
});
