import type { JsonValue } from '../../../core/json.js';
import { childPointer, type JsonPointer, readablePath } from '../../reader/json-pointer.js';

/** `{{ input.x }}` and `${ input.x }`, as other template languages write what is `${{ input.x }}` here. */
const FOREIGN =
  /(?<![$\w{])\{\{\s*((?:input|state|outputs|errors|run|item)[.[][^{}]{1,100}?)\s*\}\}|\$\{\s*((?:input|state|outputs|errors|run|item)[.[][^{}]{1,100}?)\s*\}(?!\})/;

interface ForeignBraces {
  readonly path: JsonPointer;
  readonly text: string;
  readonly offset: number;
  readonly message: string;
}

/** Sentences about the texts in a template that look as if they were meant to be evaluated, and are not. */
export function foreignBraces(value: JsonValue, pointer: JsonPointer): readonly ForeignBraces[] {
  if (typeof value === 'string') {
    const found = FOREIGN.exec(value);
    if (found === null) return [];
    const inside = found[1] ?? found[2] ?? '';
    const message = `${readablePath(pointer)} holds ${found[0]}, which is text: write \${{ ${inside} }} for its value`;
    return [{ path: pointer, text: value, offset: found.index, message }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    foreignBraces(member as JsonValue, childPointer(pointer, key)),
  );
}
