import { messageOf } from '../../../../errors/flowgate-error.js';
import type { CelError } from '@bufbuild/cel';
import { ExpressionError } from '../../../../errors/document-errors.js';
import { bracketHint } from './bracket-hint.js';
import { BoundFault } from './evaluation-fault.js';

const SHOWN_CHARACTERS = 200;

/** The error that users see of a failed evaluation: the expression, why, and what to do. */
export function explained(source: string, error: unknown): ExpressionError {
  const text = source.trim();
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  return new ExpressionError(`The expression \`${shown}\` has no value: ${reasonOf(source, error)}.`, {
    cause: error,
  });
}

function reasonOf(source: string, error: unknown): string {
  const { cause } = error as CelError;
  if (cause instanceof BoundFault) return cause.message;
  if (cause instanceof RangeError) return 'it goes too deep: split it';
  const message = messageOf(error);
  const missing = /^field not found: ([^]*)$/.exec(message)?.[1];
  if (missing !== undefined) {
    const advice = bracketHint(source, missing) ?? otherName(source, missing) ?? testFor(source, missing);
    return `${JSON.stringify(shortened(missing))} is missing; ${advice}`;
  }
  const position = /^index (\S+) out of bounds/.exec(message)?.[1];
  if (position !== undefined)
    return `nothing is at index ${position}; test the size first, as in size(state.list) > 0`;
  if (message.startsWith('found no matching overload for _?_:_'))
    return 'what stands before ? is not true or false';
  if (message.startsWith('type mismatch: expected bool')) return 'what && or || combine is not true or false';
  if (message.startsWith('type mismatch: iterable')) return 'what it loops over is neither a list nor a map';
  if (message === 'unsupported key type') return 'the key or index is neither a text, a number nor a bool';
  if (message === 'unresolved attribute') return 'a variable has no value here';
  return message;
}

/** Advice for a key that is another language's name for what is written differently here. */
function otherName(source: string, key: string): string | null {
  if (/^(?:length|len|count)$/.test(key)) {
    const [, of = 'x'] = new RegExp(String.raw`([\w.]+)\.${key}\b`).exec(source) ?? [];
    return `how many there are is size(${of})`;
  }
  const [, unitId] = key === 'output' ? (/\bstate\.output\.(\w+)/.exec(source) ?? []) : [];
  return unitId === undefined
    ? null
    : `the output of a unit is outputs.${unitId}, or state["output.${unitId}"]`;
}

/** How to test whether the key is there, as close to the author's text as is easily found. */
function testFor(source: string, key: string): string {
  if (!/^[A-Za-z_]\w*$/.test(key)) return `test it first with ${JSON.stringify(shortened(key))} in …`;
  const end = source.search(new RegExp(String.raw`\.${key}\b`));
  let start = end;
  while (start > 0 && /[\w.]/.test(source.charAt(start - 1))) start -= 1;
  return `test it first with has(${source.slice(start, end) || '…'}.${key})`;
}

function shortened(key: string): string {
  return key.length > 100 ? `${key.slice(0, 100)}…` : key;
}
