import yargs, { type Argv, type CommandModule } from 'yargs';
import { VERSION } from '../config/version.js';
import { UsageError } from './command-errors.js';
import { STDIN } from './input/read-text.js';
import { devCommand } from './dev/dev-command.js';
import { initCommand } from './init/init-command.js';
import { auditCommand, keysCommand, whoamiCommand } from './remote/commands/access-commands.js';
import { applyCommand } from './remote/commands/apply-command.js';
import { forkCommand } from './remote/commands/fork-command.js';
import {
  eventsCommand,
  gatesCommand,
  logsCommand,
  runsCommand,
  workflowsCommand,
} from './remote/commands/list-commands.js';
import {
  approveCommand,
  cancelCommand,
  describeCommand,
  getCommand,
  pauseCommand,
  compensateCommand,
  rejectCommand,
  resumeCommand,
  startCommand,
  watchCommand,
} from './remote/commands/run-commands.js';
import { exportCommand, importCommand } from './remote/commands/transfer-commands.js';
import { diffCommand, unregisterCommand, versionsCommand } from './remote/commands/version-commands.js';
import { refuseTokens } from './remote/server/token.js';
import { replayCommand } from './replay/replay-command.js';
import { runCommand } from './run/run-command.js';
import { serveCommand } from './serve/serve-command.js';
import { parserWords } from './parser-words.js';
import { reportError } from './report-error.js';
import { meantCommand } from './suggestions.js';
import { survivePipes } from './terminal/output.js';
import { oneLine } from './terminal/printable.js';
import { validateCommand } from './validate/validate-command.js';

const MAX_WIDTH = 100;
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
/** In the order of the help. */
const COMMANDS = [
  initCommand,
  devCommand,
  serveCommand,
  validateCommand,
  runCommand,
  applyCommand,
  workflowsCommand,
  startCommand,
  getCommand,
  describeCommand,
  resumeCommand,
  cancelCommand,
  pauseCommand,
  compensateCommand,
  approveCommand,
  rejectCommand,
  watchCommand,
  runsCommand,
  gatesCommand,
  logsCommand,
  eventsCommand,
  forkCommand,
  exportCommand,
  importCommand,
  versionsCommand,
  diffCommand,
  unregisterCommand,
  whoamiCommand,
  keysCommand,
  auditCommand,
  replayCommand,
] as unknown as CommandModule[];
/** How each command is written, by its name and its other names. */
const USAGES: ReadonlyMap<string, string> = new Map(
  COMMANDS.flatMap(({ command, aliases = [] }) => {
    const usage = String(command);
    return [usage.replace(/ .*/, ''), ...aliases].map((name): [string, string] => [name, usage]);
  }),
);
const COMPLETION = ['completion', '--get-yargs-completions'];

/** Carries out one command and sets the exit code. A command's code is loaded only once it is known which command it is. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  survivePipes();
  const given = words(args);
  const [name = ''] = given;
  try {
    refuseTokens(given);
    refuseUnknownCommand(name);
    await parser(given).parseAsync();
  } catch (error) {
    process.exitCode = reportError(error, USAGES.has(name) ? name : null);
  }
}

/** yargs takes a lone dash for the beginning of an option, and recognises no command after `--`. */
function words(args: readonly string[]): readonly string[] {
  const given = args[0] === '--' ? args.slice(1) : args;
  return given.map((word) => (word === '-' ? STDIN : word));
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
    .command(COMMANDS)
    .completion('completion', 'Print a script that completes commands and options in bash or zsh')
    .demandCommand(1, 'Say what to do, such as `flowgate run hello.yaml`.')
    .strict()
    .check(onlyOnce)
    .version(VERSION)
    .help()
    .alias('help', 'h')
    .epilogue('Every command, option and exit code, with examples: docs/cli.md in the package.')
    .wrap(Math.min(MAX_WIDTH, process.stdout.columns ?? MAX_WIDTH))
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
  if (name === '' || name.startsWith('-') || USAGES.has(name) || COMPLETION.includes(name)) return;
  const meant = meantCommand(name, [...USAGES.keys(), 'completion']);
  const advice = meant === null ? 'flowgate --help lists the commands.' : `Did you mean ${meant}?`;
  throw new UsageError(`Unknown command: ${oneLine(name, 60)}. ${advice}`);
}

/** yargs makes a list of an option that is given twice, which is never intended. */
function onlyOnce(given: Readonly<Record<string, unknown>>): true {
  for (const [name, value] of Object.entries(given)) {
    if (Array.isArray(value) && !REPEATED.has(name))
      throw new UsageError(`--${name} is given more than once: give it once.`);
  }
  return true;
}
