import type { NodePath } from '../log/event-base.js';

/** Appends one reference token to a JSON pointer. `>`, `#` and `%` of keys are percent-encoded: scope ids use them. */
export function childPath(path: NodePath, token: string | number): NodePath {
  if (typeof token === 'number') return `${path}/${token}`;
  const escaped = token.replaceAll('~', '~0').replaceAll('/', '~1');
  return `${path}/${nodePathOf(escaped)}`;
}

/** The path of the node that stands where a JSON pointer into the document points. */
export function nodePathOf(pointer: string): NodePath {
  return pointer.replaceAll('%', '%25').replaceAll('>', '%3E').replaceAll('#', '%23');
}

/** The JSON pointer into the document that the path stands for. */
export function pointerOf(path: NodePath): string {
  return path.replaceAll('%23', '#').replaceAll('%3E', '>').replaceAll('%25', '%');
}
