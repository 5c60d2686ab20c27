import type { FlowLayout } from './flow-layout.js';

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

/** Draws frames and lines, as far as they are seen: there may be thousands, and none of them is an element. */
export function draw(
  canvas: HTMLCanvasElement,
  layout: FlowLayout,
  camera: Camera,
  emphasis: Emphasis,
): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const { left, top, width, height, zoom } = camera;
  const ratio = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
  const colours = coloursOf(canvas);
  context.setTransform(ratio * zoom, 0, 0, ratio * zoom, -left * ratio, -top * ratio);
  context.clearRect(left / zoom, top / zoom, width / zoom, height / zoom);
  const [from, to] = [top / zoom, (top + height) / zoom];
  for (const { x, y, width: wide, height: high, depth, node } of layout.frames) {
    if (y > to || y + high < from) continue;
    context.globalAlpha = emphasis.isDim(node.path) ? 0.5 : 1;
    context.fillStyle = depth % 2 === 1 ? colours.sunken : colours.surface;
    context.strokeStyle = colours.hairline;
    context.lineWidth = 1;
    context.beginPath();
    context.roundRect(x + 0.5, y + 0.5, wide - 1, high - 1, 6);
    context.fill();
    context.stroke();
  }
  for (const { from: a, to: b, path } of layout.edges) {
    if (a.y > to || b.y < from) continue;
    const isTaken = emphasis.isTaken(path);
    context.globalAlpha = emphasis.isDim(path) ? 0.4 : 1;
    context.strokeStyle = isTaken ? colours.text : colours.control;
    context.lineWidth = isTaken ? 1.75 : 1;
    context.beginPath();
    context.moveTo(a.x, a.y);
    const bend = (b.y - a.y) / 2;
    context.bezierCurveTo(a.x, a.y + bend, b.x, b.y - bend, b.x, b.y);
    context.stroke();
  }
  context.globalAlpha = 1;
}

interface Colours {
  readonly sunken: string;
  readonly surface: string;
  readonly hairline: string;
  readonly control: string;
  readonly text: string;
}

/** The tokens as this scheme resolves them: a canvas knows no `light-dark()`. */
function coloursOf(canvas: HTMLCanvasElement): Colours {
  const style = getComputedStyle(canvas);
  return {
    sunken: style.getPropertyValue('outline-color'),
    surface: style.getPropertyValue('background-color'),
    hairline: style.getPropertyValue('border-top-color'),
    control: style.getPropertyValue('border-left-color'),
    text: style.getPropertyValue('color'),
  };
}
