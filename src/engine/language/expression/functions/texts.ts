import type { CelValue } from '@bufbuild/cel';
import { isCelList } from '@bufbuild/cel';
import { BUILT_ENTRY_WORK, ENTRY_WORK, NODE_WORK } from '../limits/bounds.js';
import { chargeBuilt, chargeWork } from '../limits/budget.js';
import { EvaluationFault } from '../faults/evaluation-fault.js';
import { builtList } from '../values/built-list.js';
import type { Implementation } from './implementation.js';
import { TextFinder } from './text-finder.js';

const ASCII_ONLY = /^[\0-\x7f]*$/;
const CASE_BIT = 0x20;
/** Characters that are converted at once. */
const PIECE = 8_192;
/** Work for each character. */
const CODE_WORK = 6;

/**
 * The standard tests of a text, and the functions of the strings extension that templates need: `lowerAscii`, `upperAscii`,
 * `trim`, `replace`, `split` and `join`.
 */
export const TEXTS: ReadonlyMap<string, Implementation> = new Map<string, Implementation>([
  ['contains', onTexts(1, (text, [part]) => new TextFinder(part).find(text, 0) >= 0)],
  ['startsWith', onTexts(1, (text, [part]) => text.startsWith(read(part)))],
  ['endsWith', onTexts(1, (text, [part]) => text.endsWith(read(part)))],
  ['lowerAscii', onTexts(0, (text) => recased(text, 'lower'))],
  ['upperAscii', onTexts(0, (text) => recased(text, 'upper'))],
  ['trim', onTexts(0, (text) => read(text).trim())],
  ['split', onTexts(1, (text, [separator]) => builtList(split(text, separator)))],
  ['replace', onTexts(2, (text, [part, by]) => joined(split(text, part), by))],
  ['join', join],
]);

function read(text: string): string {
  chargeWork(text.length);
  return text;
}

type Texts = readonly [first: string, second: string];

function onTexts(count: number, compute: (text: string, args: Texts) => CelValue): Implementation {
  return (args, target) => {
    if (typeof target !== 'string' || args.length !== count) return undefined;
    for (const arg of args) if (typeof arg !== 'string') return undefined;
    return compute(target, args as unknown as Texts);
  };
}

/** An empty separator splits into characters. */
function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  if (separator === '') {
    chargeBuilt(text.length);
    chargeWork(text.length * BUILT_ENTRY_WORK);
    for (const character of text) parts.push(character);
    return parts;
  }
  const finder = new TextFinder(separator);
  let from = 0;
  for (let at = finder.find(text, from); at >= 0; at = finder.find(text, from)) {
    chargeWork(BUILT_ENTRY_WORK);
    parts.push(text.slice(from, at));
    from = at + separator.length;
  }
  parts.push(text.slice(from));
  return parts;
}

function join(args: readonly CelValue[], list: CelValue | undefined): string | undefined {
  const [separator = '', ...others] = args;
  if (list === undefined || !isCelList(list) || typeof separator !== 'string' || others.length > 0)
    return undefined;
  chargeWork(3 * NODE_WORK.call + list.size * ENTRY_WORK);
  return joined(Array.from(list, textOf), separator);
}

function textOf(item: CelValue): string {
  if (typeof item === 'string') return item;
  throw new EvaluationFault('join needs a list of texts: convert the items with map(x, string(x))');
}

function joined(parts: readonly string[], separator: string): string {
  let length = separator.length * Math.max(0, parts.length - 1);
  for (const part of parts) length += part.length;
  chargeBuilt(length);
  return parts.join(separator);
}

/** The text with the ASCII letters in that case, and all others unchanged; the time depends on its length only. */
function recased(text: string, to: 'upper' | 'lower'): string {
  chargeBuilt(text.length);
  if (ASCII_ONLY.test(text)) return to === 'upper' ? text.toUpperCase() : text.toLowerCase();
  // Beyond ASCII the built-in functions change more, and a replacing function would be called for each run of letters.
  chargeWork(text.length * CODE_WORK);
  const first = to === 'upper' ? 0x61 : 0x41;
  const codes = new Uint16Array(PIECE);
  let changed = '';
  for (let from = 0; from < text.length; from += PIECE) {
    const length = Math.min(PIECE, text.length - from);
    for (let i = 0; i < length; i += 1) {
      const code = text.charCodeAt(from + i);
      codes[i] = code >= first && code < first + 26 ? code ^ CASE_BIT : code;
    }
    changed += String.fromCharCode.apply(null, codes.subarray(0, length) as unknown as number[]);
  }
  return changed;
}
