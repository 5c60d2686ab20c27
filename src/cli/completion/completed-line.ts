import yargs, { type Argv, type CommandModule } from 'yargs';
import { COMMANDS, namesOf, usageOf } from '../commands/command-groups.js';

/** A word that may stand at the cursor. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** What is to be completed, as far as the command line alone says it. */
export type Completion =
  | { readonly kind: 'words'; readonly candidates: readonly Candidate[] }
  /** The value of an option, without its dashes. */
  | { readonly kind: 'value'; readonly command: string; readonly option: string; readonly words: Typed }
  /** The positional argument of this number, from 0. */
  | { readonly kind: 'argument'; readonly command: string; readonly index: number; readonly words: Typed };

/** What was typed before the cursor, without options, and the values of options. */
export interface Typed {
  readonly positionals: readonly string[];
  readonly values: ReadonlyMap<string, string>;
}

interface Options {
  readonly key: Readonly<Record<string, unknown>>;
  readonly boolean: readonly string[];
  readonly choices: Readonly<Record<string, readonly string[]>>;
  readonly alias: Readonly<Record<string, readonly string[]>>;
}

/** `words`: those up to the cursor, without `flowgate`; the last one is at the cursor, and may be empty. */
export function completedLine(words: readonly string[]): Completion {
  const current = words.at(-1) ?? '';
  const [name = ''] = words;
  const command = words.length < 2 ? undefined : COMMANDS.find((one) => namesOf(one).includes(name));
  if (command === undefined) return { kind: 'words', candidates: words.length < 2 ? commandNames() : [] };
  const { options, descriptions } = optionsOf(command);
  const typed = typedBefore(words.slice(1, -1), options);
  if (typed.open !== null) {
    const choices = options.choices[typed.open];
    if (choices !== undefined)
      return { kind: 'words', candidates: choices.map((word) => ({ word, about: '' })) };
    return { kind: 'value', command: namesOf(command)[0] ?? '', option: typed.open, words: typed };
  }
  if (current.startsWith('-')) return { kind: 'words', candidates: optionNames(options, descriptions) };
  const index = typed.positionals.length;
  const [, argument = ''] = [...usageOf(command).matchAll(/[<[](\w+)/g)][index] ?? [];
  const choices = options.choices[argument];
  if (choices !== undefined)
    return { kind: 'words', candidates: choices.map((word) => ({ word, about: '' })) };
  return { kind: 'argument', command: namesOf(command)[0] ?? '', index, words: typed };
}

/** What a command takes, as its own builder says. */
function optionsOf({ builder }: CommandModule) {
  const args = yargs([]).help().alias('help', 'h').version(false);
  (builder as (args: Argv) => unknown)(args);
  const { getOptions, getInternalMethods } = args as unknown as {
    getOptions: () => Options;
    getInternalMethods: () => { getUsageInstance: () => { getDescriptions: () => Record<string, string> } };
  };
  return {
    options: getOptions.call(args),
    descriptions: getInternalMethods.call(args).getUsageInstance().getDescriptions(),
  };
}

/** `open`: the option whose value is at the cursor; bash takes `=` for a word. */
function typedBefore(words: readonly string[], options: Options): Typed & { readonly open: string | null } {
  const positionals: string[] = [];
  const values = new Map<string, string>();
  let open: string | null = null;
  for (const word of words) {
    if (word === '=' && open !== null) continue;
    if (open !== null) {
      values.set(open, word);
      open = null;
    } else if (word.startsWith('-')) {
      const [given = '', value] = word.replace(/^-+/, '').split(/=(.*)/s);
      const option = ownName(given, options);
      if (value !== undefined) values.set(option, value);
      else if (!options.boolean.includes(option)) open = option;
    } else positionals.push(word);
  }
  return { positionals, values, open };
}

function ownName(given: string, { alias }: Options): string {
  return (
    Object.entries(alias).find(([name, others]) => name.length > 1 && others.includes(given))?.[0] ?? given
  );
}

function commandNames(): readonly Candidate[] {
  return COMMANDS.map((command) => ({
    word: namesOf(command)[0] ?? '',
    about: String(command.describe),
  }));
}

function optionNames({ key }: Options, descriptions: Readonly<Record<string, string>>): readonly Candidate[] {
  return Object.keys(key)
    .filter((name) => /^[a-z][a-z-]+$/.test(name) && descriptions[name] !== undefined)
    .map((name) => ({
      word: `--${name}`,
      about: (descriptions[name] ?? '').replace(/^__yargsString__:/, ''),
    }));
}
