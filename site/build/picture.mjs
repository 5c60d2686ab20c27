const ROOT = /<svg\b[^>]*>/;
/** A script, a handler, or an address of another file: a picture has none of them. */
const NOT_ALONE =
  /<script\b|<foreignObject\b|\son\w+\s*=|\b(?:href|src)\s*=\s*["'](?!#|data:image\/)|@import\b|\burl\(\s*["']?(?!#)/i;

/** A sentence about an SVG that is more than a picture; null: it is one. */
export function pictureFaultOf(path, bytes) {
  const [found] = (isSvg(path) && NOT_ALONE.exec(bytes.toString('utf8'))) || [];
  return found === undefined
    ? null
    : `the picture ${path} has ${found.trim()}, and may neither run nor load anything`;
}

/** The width and height of an SVG in pixels, by its attributes or its box; an empty object for any other picture. */
export function pictureSizeOf(path, bytes) {
  if (!isSvg(path)) return {};
  const [root = ''] = ROOT.exec(bytes.toString('utf8')) ?? [];
  const [, , , boxWidth, boxHeight] = /\bviewBox="([\d.-]+) ([\d.-]+) ([\d.]+) ([\d.]+)"/.exec(root) ?? [];
  const width = /\bwidth="([\d.]+)(?:px)?"/.exec(root)?.[1] ?? boxWidth;
  const height = /\bheight="([\d.]+)(?:px)?"/.exec(root)?.[1] ?? boxHeight;
  if (width === undefined || height === undefined) return {};
  return { width: Math.round(Number(width)), height: Math.round(Number(height)) };
}

function isSvg(path) {
  return path.toLowerCase().endsWith('.svg');
}
