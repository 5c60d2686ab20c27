import { STATE_SHAPES } from '../../../console/src/ui/state/shapes.ts';
import type { State } from '../../../console/src/ui/state/states.ts';
import { PALETTE, type Colour } from './palette.ts';
import type { Point } from './svg.ts';

/** The side of the square that a mark fills. */
export const MARK = 16;

/** The shape by which the console shows a state, in its colour; on a surface. */
export function stateMark({ x, y }: Point, state: State): string {
  const colour = colourOf(state);
  const parts = STATE_SHAPES[state].map(({ path, lineWidth, isInner = false }) => {
    const shown = isInner ? 'surface' : colour;
    if (lineWidth === null) return `<path d="${path}" class="fill-${shown}"/>`;
    return `<path d="${path}" fill="none" class="line-${shown}" stroke-width="${lineWidth}"/>`;
  });
  return `<g transform="translate(${x} ${y})">${parts.join('')}</g>`;
}

/** States that nobody has to look at have no colour of their own. */
export function colourOf(state: State): Colour {
  return state in PALETTE ? (state as Colour) : 'muted';
}
