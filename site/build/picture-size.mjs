const ROOT = /<svg\b[^>]*>/;

/** The width and height of an SVG in pixels, by its attributes or its box; an empty object for any other picture. */
export function pictureSizeOf(path, bytes) {
  if (!path.endsWith('.svg')) return {};
  const [root = ''] = ROOT.exec(bytes.toString('utf8')) ?? [];
  const [, , , boxWidth, boxHeight] = /\bviewBox="([\d.-]+) ([\d.-]+) ([\d.]+) ([\d.]+)"/.exec(root) ?? [];
  const width = /\bwidth="([\d.]+)(?:px)?"/.exec(root)?.[1] ?? boxWidth;
  const height = /\bheight="([\d.]+)(?:px)?"/.exec(root)?.[1] ?? boxHeight;
  if (width === undefined || height === undefined) return {};
  return { width: Math.round(Number(width)), height: Math.round(Number(height)) };
}
