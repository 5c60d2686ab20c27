import { STDIN } from './read-text.js';

/** The options and arguments that name what is read. */
const READ: ReadonlySet<string> = new Set([
  'f',
  'file',
  'files',
  'input',
  'source',
  'state',
  'token-file',
  'tokenFile',
  'unit-input',
  'unitInput',
]);

/** Whatever is read may be `-`, also as in `--input=-`. Anywhere else a dash is the text that somebody wrote. */
export function namingStdin(given: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(given)) {
    const [from, to] = READ.has(name) ? ['-', STDIN] : [STDIN, '-'];
    const one = (word: unknown): unknown => (word === from ? to : word);
    given[name] = Array.isArray(value) ? value.map(one) : one(value);
  }
}
