import type { JsonValue } from '../../../clients/typescript/src/types/json.ts';
import type { FlowNode, FlowTree } from '../../../console/src/run/flow/flow-node.ts';
import { flowTreeOf } from '../../../console/src/run/flow/flow-tree.ts';
import {
  layoutOf,
  type LaidFrame,
  type LaidLabel,
  type LaidUnit,
} from '../../../console/src/run/graph/flow-layout.ts';
import type { State } from '../../../console/src/ui/state/states.ts';
import { colourOf, MARK, stateMark } from '../drawing/state-mark.ts';
import { area, edge, FONTS, textAt, type Picture, type Point } from '../drawing/svg.ts';
import { widthOf, wrapped } from '../drawing/text-width.ts';
import { arrowsOf } from './flow-arrows.ts';

export interface FlowPicture extends Pick<Picture, 'name' | 'title' | 'description'> {
  readonly document: JsonValue;
  /** What is said next to the drawing. */
  readonly note: string;
}

/** All of them are as wide: their boxes have the same size on every page. */
const WIDTH = 736;
/** Above and below the flow: where it begins, and where it ends. */
const ENDS = 26;
/** What is left of the width for a note that stands next to the flow, and not below it. */
const LEAST_NOTE = 170;
const MARGIN = 24;
const LINE_HEIGHT = 20;
/** A line that comes back runs through it, so the frame of a loop is wider on both sides. */
const LOOP_SIDE = 20;

/** What a unit is that does not simply answer. */
const STATES: Readonly<Record<string, State>> = {
  'builtin.approval': 'gate',
  'builtin.wait': 'waiting',
  'builtin.fail': 'failed',
};
/** It stands in for a unit of anybody, so its name says nothing. */
const STAND_IN = 'builtin.mock';

/** A flow as the console lays it out, drawn once and for all. */
export function flowPicture({ document, note, ...words }: FlowPicture): Picture {
  const tree = flowTreeOf(document);
  if (tree === null)
    throw new Error(`${words.name} is drawn of a document without a flow: name another one.`);
  const layout = layoutOf(tree.root);
  const isBeside = WIDTH - layout.width >= LEAST_NOTE + MARGIN;
  const left = isBeside ? MARGIN : (WIDTH - layout.width) / 2;
  const at = { x: left, y: ENDS - 16 + 6 };
  const bottom = at.y + layout.height - 16 + ENDS;
  const said = noteOf(
    tree.root,
    note,
    isBeside ? WIDTH - left - layout.width - 2 * MARGIN : WIDTH - 2 * MARGIN,
  );
  const noteHeight = said.length * LINE_HEIGHT;
  const height = isBeside ? Math.max(bottom + 12, noteHeight + 2 * MARGIN) : bottom + noteHeight + 24;
  const noteAt = isBeside
    ? { x: left + layout.width + MARGIN, y: (height - noteHeight) / 2 + 15 }
    : { x: MARGIN, y: bottom + 26 };
  const { arrows, ends } = arrowsOf(tree.root, layout);
  const [entry, exit] = [ends.entries[0] ?? { x: 0, y: 0 }, ends.exits[0] ?? { x: 0, y: 0 }];
  const isFramed = layout.frames.some(({ node }) => node === tree.root);
  const drawing = [
    ...layout.frames.map(frameOf),
    edge([{ x: entry.x, y: entry.y - ENDS + 6 }, entry], { heads: isFramed ? 'none' : 'end' }),
    `<circle cx="${entry.x}" cy="${entry.y - ENDS + 5}" r="5" class="fill-muted"/>`,
    edge([exit, { x: exit.x, y: exit.y + ENDS - 10 }]),
    `<circle cx="${exit.x}" cy="${exit.y + ENDS - 5}" r="5" fill="none" class="line-muted" stroke-width="2"/>`,
    ...arrows.map(({ points, look }) => edge(points, look)),
    ...layout.labels.map((label) => labelOf(label, layout.frames.length)),
    ...layout.units.map((unit) => unitOf(unit, tree, layout.frames)),
  ];
  const body = [
    `<g transform="translate(${at.x} ${at.y})">`,
    ...drawing,
    '</g>',
    ...said.map(({ text, font }, index) =>
      textAt({ x: noteAt.x, y: noteAt.y + index * LINE_HEIGHT }, text, {
        font,
        colour: font === 'title' ? 'text' : 'muted',
      }),
    ),
  ];
  return { ...words, width: WIDTH, height: Math.ceil(height), body };
}

interface NoteLine {
  readonly text: string;
  readonly font: 'title' | 'text' | 'code';
}

/** The type, the sentence, and what the document itself says of it, each within the width. */
function noteOf({ type, note }: FlowNode, sentence: string, width: number): readonly NoteLine[] {
  const linesIn = (text: string, font: NoteLine['font']): readonly NoteLine[] =>
    wrapped(text, width, FONTS[font]).map((part) => ({ text: part, font }));
  return [
    { text: type, font: 'title' },
    ...linesIn(sentence, 'text'),
    ...(note === null ? [] : linesIn(note, 'code')),
  ];
}

function frameOf({ node, x, y, width, height }: LaidFrame): string {
  const side = node.type === 'loop' ? LOOP_SIDE : 0;
  return [
    area({ x: x - side, y, width: width + 2 * side, height }, { fill: 'sunken', line: 'control', radius: 8 }),
    textAt({ x: x - side + 12, y: y + 21 }, node.type, { font: 'small', colour: 'muted' }),
  ].join('\n');
}

/** On a strip of the frame's ground: the line to the part runs through below it. */
function labelOf({ text, x, y, width }: LaidLabel, frames: number): string {
  const middle = x + width / 2;
  const wide = Math.min(width, widthOf(text, FONTS.small) + 8);
  return [
    area(
      { x: middle - wide / 2, y: y - 5, width: wide, height: 17 },
      { fill: frames === 0 ? 'ground' : 'sunken', radius: 0 },
    ),
    textAt({ x: middle, y: y + 8 }, text, { font: 'small', anchor: 'middle' }),
  ].join('\n');
}

function unitOf(
  { node, x, y, width, height }: LaidUnit,
  tree: FlowTree,
  frames: readonly LaidFrame[],
): string {
  const name = node.unitId ?? '';
  const { uses = '' } = tree.units.get(name) ?? {};
  const state = STATES[uses];
  const middle = x + width / 2;
  const isNamed = uses === STAND_IN || !uses.startsWith('builtin.');
  const isRepeated = frames.some(
    (frame) => frame.node.type === 'foreach' && frame.node.parts.some((part) => part.node === node),
  );
  const border = state === undefined ? 'control' : colourOf(state);
  const look = { fill: 'surface', line: border, lineWidth: 1.5 } as const;
  const cards: readonly Point[] = isRepeated
    ? [
        { x: 8, y: 8 },
        { x: 4, y: 4 },
      ]
    : [];
  return [
    ...cards.map((by) => area({ x: x + by.x, y: y + by.y, width, height }, look)),
    area({ x, y, width, height }, look),
    ...(state === undefined ? [] : [stateMark({ x: x + 14, y: y + (height - MARK) / 2 }, state)]),
    textAt({ x: middle, y: y + (isNamed ? 29 : 21) }, name, { font: 'title', anchor: 'middle' }),
    ...(isNamed
      ? []
      : [textAt({ x: middle, y: y + 39 }, uses, { font: 'small', colour: 'muted', anchor: 'middle' })]),
  ].join('\n');
}
