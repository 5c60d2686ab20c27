import { inspect } from 'node:util';

/** So much of one line, and so many lines, say which run it was. */
const MAX_LINE_CHARS = 200;
const MAX_LINES = 60;

/**
 * What a test expected of a run did not happen. Not one of node:assert, nor called like it: Jest then shows two values next
 * to the message, and there are none.
 */
export class RunAssertionError extends Error {
  override readonly name = 'RunAssertionError';
}

/** A value on one line. */
export function shown(value: unknown): string {
  const text = inspect(value, { depth: 6, breakLength: Infinity, compact: true });
  return text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS)}…` : text;
}

/** A numbered list, from 1; `marks` stand after the lines of these positions. */
export function numbered(values: readonly unknown[], marks: ReadonlyMap<number, string> = new Map()): string {
  if (values.length === 0) return '    nothing';
  const lines = values.slice(0, MAX_LINES).map((value, position) => {
    const mark = marks.get(position);
    return `    ${position + 1}. ${shown(value)}${mark === undefined ? '' : `   <- ${mark}`}`;
  });
  const others = values.length - lines.length;
  return (others === 0 ? lines : [...lines, `    and ${others} more`]).join('\n');
}
