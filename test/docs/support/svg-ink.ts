import { FONTS, type FontName } from '../../../tools/pictures/drawing/svg.ts';
import { widthOf } from '../../../tools/pictures/drawing/text-width.ts';

export interface InkBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface InkText extends InkBox {
  readonly text: string;
  /** The class of its colour, without `fill-`. */
  readonly colour: string;
  /** It stands on a strip of the ground, which covers the line below it. */
  readonly isOnStrip: boolean;
}

/** What a picture has where, in pixels from its left top. */
export interface SvgInk {
  readonly width: number;
  readonly height: number;
  readonly texts: readonly InkText[];
  /** Boxes with a border, the picture's own apart. */
  readonly boxes: readonly InkBox[];
  /** The straight parts of lines between boxes. */
  readonly lines: readonly InkBox[];
}

const ELEMENT = /<(\/?)(g|rect|text|path)\b([^>]*)>([^<]*)/g;
/** A letter above its base line, and below it, as shares of its size. */
const [ASCENT, DESCENT] = [0.76, 0.22];

/** Reads what `tools/pictures` draws: no other SVG has to be understood. */
export function inkOf(svg: string): SvgInk {
  const [, width = '0', height = '0'] = /viewBox="0 0 (\S+) (\S+)"/.exec(svg) ?? [];
  const texts: InkText[] = [];
  const boxes: InkBox[] = [];
  const lines: InkBox[] = [];
  const strips: InkBox[] = [];
  const moves = [{ x: 0, y: 0 }];
  for (const [, isEnd, name, attributes = '', content = ''] of svg.matchAll(ELEMENT)) {
    const { x, y } = moves.at(-1) ?? { x: 0, y: 0 };
    const number = (attribute: string): number =>
      Number(new RegExp(` ${attribute}="([^"]*)"`).exec(attributes)?.[1] ?? 0);
    const classes = / class="([^"]*)"/.exec(attributes)?.[1] ?? '';
    if (name === 'g' && isEnd === '/') moves.pop();
    else if (name === 'g') {
      const [, by = '0', down = '0'] = /translate\((\S+) (\S+)\)/.exec(attributes) ?? [];
      moves.push({ x: x + Number(by), y: y + Number(down) });
    } else if (name === 'rect') {
      const [left, top] = [x + number('x'), y + number('y')];
      const box = { left, top, right: left + number('width'), bottom: top + number('height') };
      (classes.includes('line-') ? boxes : strips).push(box);
    } else if (name === 'text' && isEnd === '') {
      texts.push(textOf(content, { x: x + number('x'), y: y + number('y'), classes, attributes, strips }));
    } else if (name === 'path' && classes.startsWith('edge ')) {
      lines.push(...partsOf(/ d="([^"]*)"/.exec(attributes)?.[1] ?? '', x, y));
    }
  }
  return { width: Number(width), height: Number(height), texts, boxes: boxes.slice(1), lines };
}

interface Written {
  readonly x: number;
  readonly y: number;
  readonly classes: string;
  readonly attributes: string;
  readonly strips: readonly InkBox[];
}

function textOf(content: string, { x, y, classes, attributes, strips }: Written): InkText {
  const [font = 'text', fill = ''] = classes.split(' ');
  const { size } = FONTS[font as FontName];
  const text = content.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  const width = widthOf(text, FONTS[font as FontName]);
  const anchor = /text-anchor="(\w+)"/.exec(attributes)?.[1];
  const left = anchor === 'middle' ? x - width / 2 : x;
  const box = { left, top: y - ASCENT * size, right: left + width, bottom: y + DESCENT * size };
  return {
    ...box,
    text,
    colour: fill.replace('fill-', ''),
    isOnStrip: strips.some((strip) => overlap(box, strip)),
  };
}

/** The parts between the turns of a path, which go straight. */
function partsOf(path: string, x: number, y: number): readonly InkBox[] {
  const points = [...path.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, left, top]) => ({
    left: x + Number(left),
    top: y + Number(top),
  }));
  return points.slice(1).map((to, index) => {
    const from = points[index] ?? to;
    return {
      left: Math.min(from.left, to.left),
      right: Math.max(from.left, to.left),
      top: Math.min(from.top, to.top),
      bottom: Math.max(from.top, to.top),
    };
  });
}

export function overlap(one: InkBox, other: InkBox): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

export function isWithin(inner: InkBox, outer: InkBox): boolean {
  return (
    inner.left >= outer.left &&
    inner.right <= outer.right &&
    inner.top >= outer.top &&
    inner.bottom <= outer.bottom
  );
}
