import { UsageError } from '../command-errors.js';
import { oneLine } from '../terminal/printable.js';

/** Of what yargs knows of a command, the names of its options, by kind. */
export interface OptionKinds {
  readonly boolean: readonly string[];
  readonly number: readonly string[];
  /** Options that need a value. */
  readonly narg: Readonly<Record<string, number>>;
}

const WITH_VALUE = /^--([^=]+)=(.*)$/s;

/**
 * Throws a `UsageError` for values that yargs reads as something else, without a word: of a flag anything but `true` is false, and
 * of a number nothing is 0.
 */
export function refuseMisread(words: readonly string[], { boolean, number, narg }: OptionKinds): void {
  const end = words.indexOf('--');
  const options = end === -1 ? words : words.slice(0, end);
  options.forEach((word, index) => {
    const [, name, value] = WITH_VALUE.exec(word) ?? [undefined, word.replace(/^--/, ''), options[index + 1]];
    if (name === undefined || value === undefined || !word.startsWith('--')) return;
    const isJoined = word.includes('=');
    if (isJoined && boolean.includes(name) && !/^(?:true|false)$/.test(value))
      throw new UsageError(
        `--${name} is either given or not, and has no value ${oneLine(value, 40)}: write --${name}, or --${name}=false.`,
      );
    const needsText = isJoined && Object.hasOwn(narg, name);
    if (value.trim() === '' && (number.includes(name) || needsText))
      throw new UsageError(`--${name} has no value: write one after it, or leave it out.`);
  });
}
