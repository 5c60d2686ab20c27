/** A JSON pointer (RFC 6901) into the document: `''` is the whole, `/spec/units/0/uses` a field. */
export type JsonPointer = string;

export function childPointer(pointer: JsonPointer, token: string | number): JsonPointer {
  if (typeof token === 'number') return `${pointer}/${token}`;
  return `${pointer}/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

export function pointerTokens(pointer: JsonPointer): readonly string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const LIST_INDEX = /^(?:0|[1-9][0-9]*)$/;

/** A sentence must not become a page because something is nested a thousand deep. */
const MAX_READABLE = 200;

/**
 * The path as people write it: `spec.units[2].uses`, `spec.flow.routes["a b"]`; the whole is `the document`. Of a long one
 * the end is kept.
 */
export function readablePath(pointer: JsonPointer): string {
  let path = '';
  for (const token of pointerTokens(pointer)) {
    if (LIST_INDEX.test(token)) path += `[${token}]`;
    else if (PLAIN_NAME.test(token)) path += path === '' ? token : `.${token}`;
    else path += `[${JSON.stringify(token.length > 60 ? `${token.slice(0, 60)}…` : token)}]`;
  }
  if (path === '') return 'the document';
  return path.length > MAX_READABLE ? `…${path.slice(-MAX_READABLE)}` : path;
}
