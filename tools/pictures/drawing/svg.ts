import { MONO, PALETTE, SANS, type Colour } from './palette.ts';
import type { Font } from './text-width.ts';

/** A picture with what it says to those who do not see it. */
export interface Picture {
  /** Its file below docs/pictures, without `.svg`. */
  readonly name: string;
  readonly title: string;
  /** What it shows, in a sentence or two: the `desc` of the file, and the text in place of the picture on a page. */
  readonly description: string;
  readonly width: number;
  readonly height: number;
  /** SVG elements, from the left top. */
  readonly body: readonly string[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The fonts of all pictures. At 640 pixels a picture is shown at 87 % at the least, and the small one has 11 pixels. */
export const FONTS = {
  title: { size: 15, isBold: true },
  text: { size: 14 },
  small: { size: 13 },
  code: { size: 13, isMono: true },
  screen: { size: 14, isMono: true },
} as const satisfies Readonly<Record<string, Font>>;
export type FontName = keyof typeof FONTS;

/**
 * One file for both schemes: the page's own where it is shown in a page, else that of the system. It has a ground of its own, so
 * that it can be read on a page that has chosen the other scheme.
 */
export function svgOf({ name, title, description, width, height, body }: Picture): string {
  const id = name.replaceAll('/', '-');
  const ground = area(
    { x: 0.5, y: 0.5, width: width - 1, height: height - 1 },
    { fill: 'ground', line: 'hairline', radius: 8 },
  );
  const drawn = [ground, ...body].join('\n');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="${id}-title ${id}-desc">`,
    `<title id="${id}-title">${escaped(title)}</title>`,
    `<desc id="${id}-desc">${escaped(description)}</desc>`,
    `<style>\n${stylesOf(drawn)}\n</style>`,
    drawn,
    '</svg>',
    '',
  ].join('\n');
}

/** The rules of what a picture uses. */
function stylesOf(drawn: string): string {
  const fonts = Object.entries(FONTS).filter(([name]) => drawn.includes(`class="${name} `));
  const colours = Object.entries(PALETTE).flatMap(([name, shades]) =>
    (['fill', 'line'] as const)
      .filter((use) => new RegExp(`\\b${use}-${name}\\b`).test(drawn))
      .map((use) => ({ selector: `.${use}-${name}`, property: use === 'line' ? 'stroke' : use, shades })),
  );
  const inScheme = (scheme: 0 | 1): string =>
    colours.map(({ selector, property, shades }) => `${selector}{${property}:${shades[scheme]}}`).join('');
  return [
    `text{font-family:${SANS}}`,
    '.edge{fill:none;stroke-width:1.5px}',
    ...fonts.map(([name, font]) => fontStyle(name, font)),
    inScheme(0),
    `@media (prefers-color-scheme: dark){${inScheme(1)}}`,
  ].join('\n');
}

function fontStyle(name: string, { size, isBold = false, isMono = false }: Font): string {
  return `.${name}{font-size:${size}px${isBold ? ';font-weight:600' : ''}${isMono ? `;font-family:${MONO};white-space:pre` : ''}}`;
}

export interface TextLook {
  readonly font?: FontName;
  readonly colour?: Colour;
  readonly anchor?: 'start' | 'middle' | 'end';
}

/** A line of text; `y` is its base line. */
export function textAt({ x, y }: Point, content: string, look: TextLook = {}): string {
  const { font = 'text', colour = 'text', anchor = 'start' } = look;
  const anchored = anchor === 'start' ? '' : ` text-anchor="${anchor}"`;
  return `<text x="${round(x)}" y="${round(y)}" class="${font} fill-${colour}"${anchored}>${escaped(content)}</text>`;
}

export interface Area extends Point {
  readonly width: number;
  readonly height: number;
}

export interface AreaLook {
  readonly fill: Colour;
  /** Absent: no border. */
  readonly line?: Colour;
  readonly radius?: number;
  readonly lineWidth?: number;
  readonly isDashed?: boolean;
}

export function area({ x, y, width, height }: Area, look: AreaLook): string {
  const { fill, line, radius = 6, lineWidth = 1, isDashed = false } = look;
  const border = line === undefined ? '' : ` line-${line}`;
  const thick = lineWidth === 1 ? '' : ` stroke-width="${lineWidth}"`;
  const dashes = isDashed ? ' stroke-dasharray="5 4"' : '';
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${radius}" class="fill-${fill}${border}"${thick}${dashes}/>`;
}

export interface LineLook {
  readonly colour?: Colour;
  readonly isDashed?: boolean;
  /** Where it has a head: at its end, unless said otherwise. */
  readonly heads?: 'end' | 'both' | 'none';
}

const HEAD = { length: 8, half: 4.5 };
const TURN = 7;

/** A line through points, horizontal or vertical between two of them, with round turns. */
export function edge(points: readonly Point[], look: LineLook = {}): string {
  const { colour = 'muted', isDashed = false, heads = 'end' } = look;
  const path = straightened(points);
  const [first, second] = path;
  const [beforeLast, last] = path.slice(-2);
  if (first === undefined || second === undefined || beforeLast === undefined || last === undefined)
    throw new Error('A line needs two points that differ: give it another end.');
  // A line ends within its head, so that it does not stick out of the tip.
  const drawn = [...path];
  if (heads !== 'none') drawn[drawn.length - 1] = towards(last, beforeLast, HEAD.length - 2);
  if (heads === 'both') drawn[0] = towards(first, second, HEAD.length - 2);
  const dashes = isDashed ? ' stroke-dasharray="5 4"' : '';
  return [
    `<path d="${rounded(drawn)}" class="edge line-${colour}"${dashes}/>`,
    ...(heads === 'none' ? [] : [head(beforeLast, last, colour)]),
    ...(heads === 'both' ? [head(second, first, colour)] : []),
  ].join('\n');
}

/** Without points that stand on one another, or on the way between two others. */
export function straightened(points: readonly Point[]): readonly Point[] {
  const kept: Point[] = [];
  for (const point of points) {
    const [before, last] = [kept.at(-2), kept.at(-1)];
    if (last !== undefined && last.x === point.x && last.y === point.y) continue;
    const isOnTheWay =
      before !== undefined &&
      last !== undefined &&
      ((before.x === last.x && last.x === point.x) || (before.y === last.y && last.y === point.y));
    if (isOnTheWay) kept.pop();
    kept.push(point);
  }
  return kept;
}

function rounded(points: readonly Point[]): string {
  const [first = { x: 0, y: 0 }, ...rest] = points;
  const parts = rest.map((point, index) => {
    const [before = first, next] = [points[index], points[index + 2]];
    if (next === undefined) return `L${at(point)}`;
    const turn = Math.min(TURN, distance(before, point) / 2, distance(point, next) / 2);
    return `L${at(towards(point, before, turn))}Q${at(point)} ${at(towards(point, next, turn))}`;
  });
  return `M${at(first)}${parts.join('')}`;
}

function head(from: Point, tip: Point, colour: Colour): string {
  const back = towards(tip, from, HEAD.length);
  const isLevel = from.y === tip.y;
  const [one, other] = [-HEAD.half, HEAD.half].map((side) =>
    isLevel ? { x: back.x, y: back.y + side } : { x: back.x + side, y: back.y },
  ) as [Point, Point];
  return `<path d="M${at(tip)}L${at(one)}L${at(other)}z" class="fill-${colour}"/>`;
}

function towards(from: Point, to: Point, by: number): Point {
  const share = by / Math.max(1, distance(from, to));
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

function distance(from: Point, to: Point): number {
  return Math.hypot(to.x - from.x, to.y - from.y);
}

function at({ x, y }: Point): string {
  return `${round(x)} ${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
