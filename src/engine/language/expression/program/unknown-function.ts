import { nearNames } from '../../reader/near-names.js';
import { FUNCTION_NAMES } from './environment.js';

/** What other languages call a function, and how it is written here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  length: 'how many there are is size(x)',
  len: 'how many there are is size(x)',
  count: 'how many there are is size(x)',
  includes:
    'whether a list holds a value is value in list; whether a text holds another, text.contains(other)',
  isempty: 'write size(x) == 0',
  tolowercase: 'write x.lowerAscii()',
  lower: 'write x.lowerAscii()',
  touppercase: 'write x.upperAscii()',
  upper: 'write x.upperAscii()',
  str: 'write string(x)',
  tostring: 'write string(x)',
  number: 'write double(x) or int(x)',
  float: 'write double(x)',
  parsefloat: 'write double(x)',
  parseint: 'write int(x)',
  substring: 'there are split, replace and matches',
  some: 'write list.exists(x, x > 1)',
  any: 'write list.exists(x, x > 1)',
  every: 'write list.all(x, x > 1)',
  find: 'write list.filter(x, x > 1)[0]',
  now: 'write now, without brackets',
  today: 'write now, without brackets',
  date: 'write timestamp(text) for an instant, or now',
  datetime: 'write timestamp(text) for an instant, or now',
  parsetime: 'write timestamp(text)',
};

const MACROS = ['map', 'filter', 'all', 'exists', 'exists_one', 'existsOne'];

export function unknownFunction(name: string): string {
  if (name === 'has') return 'has needs a field, as in has(state.x); for other keys write "the.key" in state';
  if (MACROS.includes(name)) {
    return `${name} needs a list, a variable name and an expression, as in state.items.${name}(x, x > 1)`;
  }
  const word = name.toLowerCase();
  const shown = name.slice(0, 100);
  if (Object.hasOwn(ELSEWHERE, word)) return `there is no function "${shown}": ${ELSEWHERE[word]}`;
  const [near] = nearNames(name, [...FUNCTION_NAMES, ...MACROS, 'has']);
  if (near !== undefined) return `there is no function "${shown}": did you mean ${near}?`;
  return `there is no function "${shown}": there are ${FUNCTION_NAMES.join(', ')}`;
}
