import type { Camera } from '../canvas.js';
import type { Box, FlowLayout, LaidUnit } from '../flow-layout.js';

/** What lies so far outside of the view is there as well, so that scrolling shows no holes. */
const MARGIN = 200;
/** Around what is brought into view. */
const AROUND = 32;
/** Who points at a small thing points next to it: pixels of the page. */
const NEAR_MISS = 12;

/** Whether a box is in view, or nearly. */
export function isSeen(
  { x, y, width, height }: Box,
  { left, top, width: wide, height: high, zoom }: Camera,
): boolean {
  return (
    x * zoom < left + wide + MARGIN &&
    (x + width) * zoom > left - MARGIN &&
    y * zoom < top + high + MARGIN &&
    (y + height) * zoom > top - MARGIN
  );
}

/** Where to scroll to, as little as it takes, to have the box in view with something around it. */
export function revealing(
  { x, y, width, height }: Box,
  { left, top, width: wide, height: high, zoom }: Camera,
): { readonly left: number; readonly top: number } {
  return {
    left: within(left, x * zoom - AROUND, (x + width) * zoom + AROUND, wide),
    top: within(top, y * zoom - AROUND, (y + height) * zoom + AROUND, high),
  };
}

function within(at: number, from: number, to: number, size: number): number {
  if (from < at) return from;
  return to > at + size ? to - size : at;
}

/** Where to scroll to so that what was in the middle stays there at another size. */
export function zoomedTo(
  zoom: number,
  { left, top, width, height, zoom: before }: Camera,
): { readonly left: number; readonly top: number } {
  const grown = zoom / before;
  return {
    left: (left + width / 2) * grown - width / 2,
    top: (top + height / 2) * grown - height / 2,
  };
}

/** The largest of the sizes at which all of it is in view; the smallest where none is. */
export function fittingZoom(
  zooms: readonly number[],
  layout: Pick<FlowLayout, 'width' | 'height'>,
  { width, height }: Camera,
): number {
  const index = zooms.findLastIndex((zoom) => layout.width * zoom <= width && layout.height * zoom <= height);
  return Math.max(0, index);
}

/** The unit at a point of the drawing, or the one right next to it. */
export function unitAt(
  units: readonly LaidUnit[],
  at: { readonly x: number; readonly y: number },
  zoom: number,
): LaidUnit | null {
  let nearest: LaidUnit | null = null;
  let least = NEAR_MISS / zoom;
  for (const unit of units) {
    const aside = Math.max(unit.x - at.x, at.x - unit.x - unit.width, 0);
    const above = Math.max(unit.y - at.y, at.y - unit.y - unit.height, 0);
    const distance = Math.hypot(aside, above);
    if (distance < least) [nearest, least] = [unit, distance];
    if (distance === 0) break;
  }
  return nearest;
}
