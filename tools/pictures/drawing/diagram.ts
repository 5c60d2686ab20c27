import type { State } from '../../../console/src/ui/state/states.ts';
import type { Colour } from './palette.ts';
import { colourOf, MARK, stateMark } from './state-mark.ts';
import {
  area,
  FONTS,
  edge,
  straightened,
  textAt,
  type Area,
  type FontName,
  type Picture,
  type Point,
  type TextLook,
} from './svg.ts';
import { widthOf } from './text-width.ts';

/** A picture as data: what stands where, and what leads to what. */
export interface Diagram extends Omit<Picture, 'body'> {
  readonly boxes: Readonly<Record<string, DiagramBox>>;
  readonly arrows?: readonly DiagramArrow[];
  readonly notes?: readonly DiagramNote[];
}

export interface DiagramBox extends Area {
  /** A lane or a region that others stand in has its title at its left top; any other box, in its middle. */
  readonly kind?: 'box' | 'region';
  readonly title: string;
  readonly lines?: readonly string[];
  /** The font of the lines. */
  readonly font?: FontName;
  /** Its mark stands before the title, and its colour around the box. */
  readonly state?: State;
  readonly isAccented?: boolean;
  readonly isDashed?: boolean;
}

/** A place on the border of a box: how far along that side, from its left or its top. */
export type Anchor = readonly [box: string, side: 'top' | 'right' | 'bottom' | 'left', share?: number];

export interface DiagramArrow {
  readonly from: Anchor | Point;
  readonly to: Anchor | Point;
  /** Where it turns: `y` of the level part between two upright ones, `x` of the upright part between two level ones. Absent: halfway. */
  readonly turn?: number;
  readonly label?: string;
  readonly colour?: Colour;
  readonly isDashed?: boolean;
  readonly heads?: 'end' | 'both';
}

export interface DiagramNote extends Point, TextLook {
  readonly text: string;
}

const LINE_HEIGHT = 19;
/** Between the border of a box and what is written in it. */
const PADDING = 10;
const MARK_GAP = 8;
const LABEL_GAP = 6;

export function pictureOf({ boxes, arrows = [], notes = [], ...picture }: Diagram): Picture {
  const all = Object.values(boxes);
  const regions = all.filter(({ kind }) => kind === 'region');
  const others = all.filter(({ kind }) => kind !== 'region');
  const drawn = arrows.map((arrow) => arrowOf(arrow, boxes));
  const body = [
    ...regions.map(regionOf),
    ...drawn.map(({ shape }) => shape),
    ...others.map(boxOf),
    ...drawn.flatMap(({ label }) => label),
    ...notes.map(({ text, x, y, ...look }) => textAt({ x, y }, text, look)),
  ];
  return { ...picture, body };
}

function regionOf(region: DiagramBox): string {
  const { x, y, title, lines = [], isAccented = false, isDashed = false } = region;
  return [
    area(region, {
      fill: isAccented ? 'selected' : 'sunken',
      line: isAccented ? 'accent' : 'hairline',
      lineWidth: isAccented ? 1.5 : 1,
      isDashed,
      radius: 8,
    }),
    textAt({ x: x + 16, y: y + 25 }, title, { font: 'title' }),
    ...lines.map((text, index) =>
      textAt({ x: x + 16, y: y + 25 + (index + 1) * LINE_HEIGHT }, text, { font: 'small', colour: 'muted' }),
    ),
  ].join('\n');
}

function boxOf(box: DiagramBox): string {
  const { x, y, width, height, title, lines = [], font = 'small', state, isAccented, isDashed = false } = box;
  const lead = state === undefined ? 0 : MARK + MARK_GAP;
  const titleWidth = widthOf(title, FONTS.title) + lead;
  const widest = Math.max(titleWidth, ...lines.map((text) => widthOf(text, FONTS[font])));
  if (widest > width - 2 * PADDING)
    throw new Error(
      `"${title}" needs ${Math.ceil(widest + 2 * PADDING)} pixels and its box has ${width}: widen it.`,
    );
  const border = state !== undefined ? colourOf(state) : isAccented === true ? 'accent' : 'control';
  const middle = x + width / 2;
  // The base line of the first line, so that all of them are in the middle.
  const first = y + height / 2 - (lines.length * LINE_HEIGHT) / 2 + 5;
  return [
    area(box, { fill: 'surface', line: border, lineWidth: 1.5, isDashed }),
    ...(state === undefined
      ? []
      : [stateMark({ x: round(middle - titleWidth / 2), y: round(first - 13) }, state)]),
    textAt({ x: middle + lead / 2, y: first }, title, { font: 'title', anchor: 'middle' }),
    ...lines.map((text, index) =>
      textAt({ x: middle, y: first + (index + 1) * LINE_HEIGHT }, text, {
        font,
        colour: 'muted',
        anchor: 'middle',
      }),
    ),
  ].join('\n');
}

function arrowOf(arrow: DiagramArrow, boxes: Diagram['boxes']) {
  const { from, to, turn, label, colour = 'muted', isDashed = false, heads = 'end' } = arrow;
  const [start, end] = [from, to].map((anchor) => placeOf(anchor, boxes)) as [Place, Place];
  const points = straightened(routeOf(start, end, turn));
  const shape = edge(points, { colour, isDashed, heads });
  return { shape, label: label === undefined ? [] : [labelOf(label, points)] };
}

interface Place extends Point {
  /** Whether a line leaves it upwards or downwards. */
  readonly isUpright: boolean;
}

function isAnchor(given: Anchor | Point): given is Anchor {
  return Array.isArray(given);
}

function placeOf(anchor: Anchor | Point, boxes: Diagram['boxes']): Place {
  if (!isAnchor(anchor)) return { ...anchor, isUpright: false };
  const [name, side, share = 0.5] = anchor;
  const box = boxes[name];
  if (box === undefined)
    throw new Error(`An arrow names a box that there is not: add "${name}", or name another one.`);
  const { x, y, width, height } = box;
  const isUpright = side === 'top' || side === 'bottom';
  if (isUpright) return { x: round(x + width * share), y: side === 'top' ? y : y + height, isUpright };
  return { x: side === 'left' ? x : x + width, y: round(y + height * share), isUpright };
}

function routeOf(start: Place, end: Place, turn: number | undefined): readonly Point[] {
  if (start.isUpright && end.isUpright) {
    const y = turn ?? (start.y + end.y) / 2;
    return [start, { x: start.x, y }, { x: end.x, y }, end];
  }
  if (!start.isUpright && !end.isUpright) {
    const x = turn ?? (start.x + end.x) / 2;
    return [start, { x, y: start.y }, { x, y: end.y }, end];
  }
  return [start, start.isUpright ? { x: start.x, y: end.y } : { x: end.x, y: start.y }, end];
}

/** Above the longest level part of a line, or to the right of its longest upright one. */
function labelOf(text: string, points: readonly Point[]): string {
  const parts = points.slice(1).map((to, index) => ({ from: points[index] ?? to, to }));
  const lengthOf = ({ from, to }: { from: Point; to: Point }): number =>
    Math.hypot(to.x - from.x, to.y - from.y);
  const [longest] = parts.toSorted((a, b) => lengthOf(b) - lengthOf(a));
  if (longest === undefined) throw new Error(`The line of "${text}" has no part: give it another end.`);
  const { from, to } = longest;
  const [x, y] = [(from.x + to.x) / 2, (from.y + to.y) / 2];
  if (from.y === to.y) return textAt({ x, y: y - LABEL_GAP }, text, { font: 'small', anchor: 'middle' });
  return textAt({ x: x + LABEL_GAP + 2, y: y + 4 }, text, { font: 'small' });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

export interface Column {
  readonly x: number;
  readonly width: number;
}

/** So many columns of the same width next to one another; which of them is given by its index. */
export function columns(
  count: number,
  { from, to, gap }: { readonly from: number; readonly to: number; readonly gap: number },
): (index: number) => Column {
  const width = (to - from - (count - 1) * gap) / count;
  return (index) => ({ x: round(from + index * (width + gap)), width: round(width) });
}

export function middleOf({ x, width }: Column): number {
  return round(x + width / 2);
}
