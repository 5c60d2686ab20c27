import type { CelValue } from '@bufbuild/cel';
import { celType, isCelList, isCelMap } from '@bufbuild/cel';

/** What a message calls the value: `a text`, `a number`. */
export function typeName(value: CelValue): string {
  switch (typeof value) {
    case 'string':
      return 'a text';
    case 'number':
      return 'a number';
    case 'bigint':
      return 'an int';
    case 'boolean':
      return 'a bool';
    default:
  }
  if (value === null) return 'null';
  if (isCelList(value)) return 'a list';
  if (isCelMap(value)) return 'a map';
  const { name } = celType(value);
  return name.startsWith('google.protobuf.') ? `a ${name.slice(16).toLowerCase()}` : `a ${name}`;
}
