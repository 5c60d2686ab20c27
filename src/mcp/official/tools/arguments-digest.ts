import { createHash } from 'node:crypto';
import { Slice } from '../../../engine/scheduling/slice.js';
import type { ToolArguments } from '../../tools/tool-arguments.js';

/** How much is handed to the hash at once. */
const PIECE_CHARS = 16_384;

/**
 * A digest of a call's arguments that does not depend on the order of their keys. It yields to the event loop,
 * because the arguments may be as long as a body.
 */
export async function digestOf(given: ToolArguments): Promise<string> {
  const hash = createHash('sha256');
  let piece = '';
  const slice = new Slice();
  for (const text of canonicalTexts(given)) {
    piece += text;
    if (piece.length < PIECE_CHARS) continue;
    hash.update(piece);
    piece = '';
    if (slice.isOver) await slice.next();
  }
  return hash.update(piece).digest('base64url');
}

/** JSON with sorted keys, in pieces. It does not recurse, because the depth has not been limited yet. */
function* canonicalTexts(value: unknown): Generator<string, void> {
  const open: Iterator<readonly [before: string, value: unknown]>[] = [[['', value] as const].values()];
  const ends: string[] = [''];
  for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
    const next = inner.next();
    if (next.done === true) {
      open.pop();
      yield ends.pop() ?? '';
      continue;
    }
    const [before, field] = next.value;
    if (typeof field !== 'object' || field === null) {
      yield `${before}${JSON.stringify(field)}`;
      continue;
    }
    const isList = Array.isArray(field);
    yield `${before}${isList ? '[' : '{'}`;
    open.push(isList ? itemsOf(field) : fieldsOf(field as ToolArguments));
    ends.push(isList ? ']' : '}');
  }
}

function* itemsOf(list: readonly unknown[]): Generator<readonly [string, unknown], void> {
  for (const [index, item] of list.entries()) yield [index === 0 ? '' : ',', item];
}

function* fieldsOf(fields: ToolArguments): Generator<readonly [string, unknown], void> {
  for (const [index, key] of Object.keys(fields).sort().entries())
    yield [`${index === 0 ? '' : ','}${JSON.stringify(key)}:`, fields[key]];
}
