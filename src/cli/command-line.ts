import yargs, { type Argv } from 'yargs';
import { VERSION } from '../config/version.js';
import { COMMANDS, namesOf, usageOf } from './commands/command-groups.js';
import { UsageError } from './command-errors.js';
import { overview } from './help/overview.js';
import { readableCommand } from './help/readable-command.js';
import { STDIN } from './input/read-text.js';
import { namingStdin } from './input/stdin-words.js';
import { refuseMisread, type OptionKinds } from './input/written-values.js';
import { refuseTokens } from './remote/server/token.js';
import { parserWords } from './parser-words.js';
import { reportError } from './report-error.js';
import { meantCommand } from './suggestions.js';
import { print, survivePipes } from './terminal/output.js';
import { oneLine } from './terminal/printable.js';

const MAX_WIDTH = 100;
const HELP: ReadonlySet<string> = new Set(['--help', '-h']);
/** By what the scripts of `completion` ask. */
const COMPLETING = '--get-yargs-completions';
/** Options that may be given more than once. */
const REPEATED: ReadonlySet<string> = new Set([
  'bind',
  'file',
  'f',
  'files',
  'grant',
  'group',
  'header',
  'label',
  'source',
  '_',
]);
/** How each command is written, by its name and its other names. */
const USAGES: ReadonlyMap<string, string> = new Map(
  COMMANDS.flatMap((command) => namesOf(command).map((name): [string, string] => [name, usageOf(command)])),
);

/** Carries out one command and sets the exit code. A command's code is loaded only once it is known which command it is. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  survivePipes();
  // The words of a line that is still being typed are no command line yet.
  if (args[0] === COMPLETING) return (await import('./completion/complete.js')).complete(args.slice(1));
  const given = words(args);
  const [name = ''] = given;
  try {
    if (given.length === 1 && HELP.has(name)) return await print(overview(width()));
    refuseTokens(given);
    refuseUnknownCommand(name);
    await parser(given).parseAsync();
  } catch (error) {
    process.exitCode = reportError(error, USAGES.has(name) ? name : null);
  }
}

/** yargs takes a lone dash for the beginning of an option (`namingStdin`), and recognises no command after `--`. */
function words(args: readonly string[]): readonly string[] {
  const written = args[0] === '--' ? args.slice(1) : args;
  // As people know it from other tools: `flowgate help start`.
  const given = written[0] === 'help' ? [...written.slice(1), '--help'] : written;
  return given.map((word) => (word === '-' ? STDIN : word));
}

/** Columns of what is explained. */
function width(): number {
  // A terminal that nobody told its size says 0.
  return Math.min(MAX_WIDTH, process.stdout.columns || MAX_WIDTH);
}

/** All commands and options; docs/cli.md has the same. */
function parser(args: readonly string[]): Argv {
  return yargs([...args])
    .scriptName('flowgate')
    .locale('en')
    .usage('$0 <command> [options]\n\nWorkflows in YAML: check them, run them, serve them.')
    .parserConfiguration({
      'greedy-arrays': false,
      'dot-notation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'boolean-negation': false,
    })
    .command(COMMANDS.map((command) => readableCommand(command, width())))
    .middleware((given) => namingStdin(given), true)
    .demandCommand(1, 'Say what to do, such as `flowgate run hello.yaml`.')
    .strict()
    .check((given, known) => isWell(args, given, known))
    .version(VERSION)
    .help()
    .alias('help', 'h')
    .wrap(width())
    .exitProcess(false)
    .fail((message, error, help) => refuse(message, error, { args, help }));
}

interface Failed {
  readonly args: readonly string[];
  /** What yargs gives in place of itself: its usage, which the types do not know. */
  readonly help: object;
}

/** What yargs finds wrong comes as a message. An error that a command or one of our checks throws is rethrown as it is. */
function refuse(message: string, error: Error | undefined, { args, help }: Failed): never {
  if (error !== undefined && error.name !== 'YError') throw error;
  const { getDescriptions } = help as { getDescriptions: () => object };
  const usage = USAGES.get(args[0] ?? '') ?? null;
  throw new UsageError(parserWords(message, { usage, options: Object.keys(getDescriptions()) }));
}

function refuseUnknownCommand(name: string): void {
  if (name === '' || name.startsWith('-') || USAGES.has(name)) return;
  const meant = meantCommand(name, [...USAGES.keys()]);
  const advice = meant === null ? 'flowgate --help lists the commands.' : `Did you mean ${meant}?`;
  throw new UsageError(`Unknown command: ${oneLine(name, 60)}. ${advice}`);
}

/** `known`: what yargs knows of the command, whose types call it something else. */
function isWell(args: readonly string[], given: Readonly<Record<string, unknown>>, known: object): true {
  refuseMisread(args, known as OptionKinds);
  refuseTwice(given);
  return true;
}

/** yargs makes a list of an option that is given twice, which is never intended. */
function refuseTwice(given: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(given)) {
    if (Array.isArray(value) && !REPEATED.has(name))
      throw new UsageError(`--${name} is given more than once: give it once.`);
  }
}
