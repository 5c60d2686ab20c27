import { STATE_SHAPES } from '../../../ui/state/shapes.js';
import type { State } from '../../../ui/state/states.js';
import { visiblePieces } from '../../../ui/text/visible-text.js';
import type { LaidUnit } from '../flow-layout.js';
import type { TokenColours } from './token-colours.js';

/** How a unit is drawn where it is no button. */
export interface FarUnit {
  readonly unit: LaidUnit;
  /** Null: of a definition, of which nothing is heard. */
  readonly state: State | null;
  readonly isSelected: boolean;
  readonly isDim: boolean;
}

/** Below that a name cannot be read, and is not drawn. */
const NAMES_FROM_ZOOM = 0.3;
/** So many letters fit into a box. */
const MOST_LETTERS = 11;
/** Below that a shape is a dot: what somebody looks for fills its box. */
const SHAPES_FROM_ZOOM = 0.2;
const LOUD: ReadonlySet<State> = new Set(['failed', 'gate', 'paused', 'retrying', 'running']);
const SHAPE_SCALE = 2.5;
const FONT = '600 26px system-ui, sans-serif';

/** The shapes as a canvas fills and strokes them: read once. */
const PATHS = new Map<State, readonly { path: Path2D; lineWidth: number | null; isInner: boolean }[]>();

/** Units as boxes with the shape of their state: from far away there are hundreds in view, and none of them is an element. */
export function drawFarUnits(
  context: CanvasRenderingContext2D,
  units: readonly FarUnit[],
  zoom: number,
  colours: TokenColours,
): void {
  const lineWidth = 1 / zoom;
  context.font = FONT;
  context.textBaseline = 'middle';
  for (const { unit, state, isSelected, isDim } of units) {
    const { x, y, width, height, node } = unit;
    const colour = colourOf(state, colours);
    context.globalAlpha = isDim ? 0.5 : 1;
    const isFilled = zoom < SHAPES_FROM_ZOOM && state !== null && LOUD.has(state);
    context.fillStyle = isFilled ? colour : isSelected ? colours.selected : colours.surface;
    context.strokeStyle = isSelected ? colours.accent : colour;
    context.lineWidth = isSelected ? 2 * lineWidth : lineWidth;
    context.fillRect(x, y, width, height);
    context.strokeRect(x, y, width, height);
    context.save();
    context.translate(x + 6, y + (height - 16 * SHAPE_SCALE) / 2);
    context.scale(SHAPE_SCALE, SHAPE_SCALE);
    context.fillStyle = colour;
    for (const part of state === null ? [] : pathsOf(state)) {
      context.strokeStyle = part.isInner ? colours.surface : colour;
      context.lineWidth = part.lineWidth ?? 0;
      if (part.lineWidth === null) context.fill(part.path);
      else context.stroke(part.path);
    }
    context.restore();
    if (zoom < NAMES_FROM_ZOOM) continue;
    context.fillStyle = colours.text;
    const indent = state === null ? 12 : 54;
    context.fillText(nameOf(node.unitId ?? ''), x + indent, y + height / 2, width - indent - 6);
  }
  context.globalAlpha = 1;
}

/** Text of somebody else, with nothing hidden in it, as far as it fits. */
function nameOf(unitId: string): string {
  const shown = visiblePieces(unitId)
    .map((piece) => ('text' in piece ? piece.text : piece.sign))
    .join('');
  return shown.length > MOST_LETTERS ? `${shown.slice(0, MOST_LETTERS)}…` : shown;
}

function pathsOf(state: State) {
  const known = PATHS.get(state);
  if (known !== undefined) return known;
  const paths = STATE_SHAPES[state].map(({ path, lineWidth, isInner = false }) => ({
    path: new Path2D(path),
    lineWidth,
    isInner,
  }));
  PATHS.set(state, paths);
  return paths;
}

function colourOf(state: State | null, colours: TokenColours): string {
  switch (state) {
    case 'waiting':
    case 'pending':
    case 'skipped':
    case 'cancelled':
    case 'lost':
    case null:
      return colours.muted;
    default:
      return colours[state];
  }
}
