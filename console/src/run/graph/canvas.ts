import { drawFarUnits, type FarUnit } from './drawing/far-units.js';
import { tokenColours } from './drawing/token-colours.js';
import type { FlowLayout, LaidEdge } from './flow-layout.js';

/** Where of the drawing one looks, in pixels of the page, and how large it is shown. */
export interface Camera {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly zoom: number;
}

/** Paths of what is drawn in another way than the rest. */
export interface Emphasis {
  readonly isDim: (path: string) => boolean;
  readonly isTaken: (path: string) => boolean;
}

/** Draws frames, lines and the units that are no buttons, as far as they are seen: there may be thousands, and none of them is an element. */
export function draw(
  canvas: HTMLCanvasElement,
  layout: FlowLayout,
  camera: Camera,
  emphasis: Emphasis,
  farUnits: readonly FarUnit[] = [],
): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const { left, top, width, height, zoom } = camera;
  const ratio = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
  const colours = tokenColours(canvas);
  context.setTransform(ratio * zoom, 0, 0, ratio * zoom, -left * ratio, -top * ratio);
  context.clearRect(left / zoom, top / zoom, width / zoom, height / zoom);
  const view: View = {
    left: left / zoom,
    top: top / zoom,
    right: (left + width) / zoom,
    bottom: (top + height) / zoom,
  };
  // A line is as thin from far away as it is from near.
  const thin = Math.max(1, 1 / zoom);
  for (const { x, y, width: wide, height: high, depth, node } of layout.frames) {
    if (y > view.bottom || y + high < view.top || x > view.right || x + wide < view.left) continue;
    context.globalAlpha = emphasis.isDim(node.path) ? 0.5 : 1;
    context.fillStyle = depth % 2 === 1 ? colours.sunken : colours.surface;
    context.strokeStyle = colours.hairline;
    context.lineWidth = thin;
    context.beginPath();
    context.roundRect(x + 0.5, y + 0.5, wide - 1, high - 1, 6);
    context.fill();
    context.stroke();
  }
  // Lines that look alike are one stroke: a thousand of their own cost more than a frame has.
  for (const [look, edges] of byLook(layout.edges, view, emphasis)) {
    const isTaken = look.includes('taken');
    context.globalAlpha = look.includes('dim') ? 0.4 : 1;
    context.strokeStyle = isTaken ? colours.text : colours.control;
    context.lineWidth = isTaken ? 1.75 * thin : thin;
    context.beginPath();
    for (const { from, to } of edges) {
      const bend = (to.y - from.y) / 2;
      context.moveTo(from.x, from.y);
      context.bezierCurveTo(from.x, from.y + bend, to.x, to.y - bend, to.x, to.y);
    }
    context.stroke();
  }
  context.globalAlpha = 1;
  drawFarUnits(context, farUnits, zoom, colours);
}

/** What of the drawing is seen, in its own measure. */
interface View {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function byLook(
  edges: readonly LaidEdge[],
  view: View,
  { isDim, isTaken }: Emphasis,
): ReadonlyMap<string, readonly LaidEdge[]> {
  const looks = new Map<string, LaidEdge[]>();
  for (const edge of edges) {
    const { from, to, path } = edge;
    if (Math.min(from.y, to.y) > view.bottom || Math.max(from.y, to.y) < view.top) continue;
    if (Math.min(from.x, to.x) > view.right || Math.max(from.x, to.x) < view.left) continue;
    const look = `${isTaken(path) ? 'taken' : ''}${isDim(path) ? ' dim' : ''}`;
    const alike = looks.get(look);
    if (alike === undefined) looks.set(look, [edge]);
    else alike.push(edge);
  }
  return looks;
}
