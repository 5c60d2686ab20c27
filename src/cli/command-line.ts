import yargs, { type Argv } from 'yargs';
import { VERSION } from '../config/version.js';
import { UsageError } from './command-errors.js';
import { STDIN } from './input/read-text.js';
import { applyCommand } from './remote/commands/apply-command.js';
import { forkCommand } from './remote/commands/fork-command.js';
import { eventsCommand, gatesCommand, runsCommand } from './remote/commands/list-commands.js';
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
import { deleteCommand, diffCommand, versionsCommand } from './remote/commands/version-commands.js';
import { replayCommand } from './replay/replay-command.js';
import { runCommand } from './run/run-command.js';
import { serveCommand } from './serve/serve-command.js';
import { reportError } from './report-error.js';
import { survivePipes } from './terminal/output.js';
import { validateCommand } from './validate/validate-command.js';

const MAX_WIDTH = 100;
/** Options that may be given more than once. */
const REPEATED: ReadonlySet<string> = new Set([
  'bind',
  'file',
  'f',
  'files',
  'header',
  'label',
  'source',
  '_',
]);
/** The name of a positional argument in a command's usage: `run <file>`. */
const NAMES = [
  serveCommand,
  validateCommand,
  runCommand,
  applyCommand,
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
  eventsCommand,
  forkCommand,
  exportCommand,
  importCommand,
  versionsCommand,
  diffCommand,
  deleteCommand,
  replayCommand,
].map(({ command }) => String(command).replace(/ .*/, ''));
/** The message of yargs for a missing positional argument. */
const TOO_FEW = /^Not enough non-option arguments.*/;

/** Carries out one command and sets the exit code. A command's code is loaded only once it is known which command it is. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  survivePipes();
  try {
    await parser(words(args)).parseAsync();
  } catch (error) {
    const [name = ''] = words(args);
    process.exitCode = reportError(error, NAMES.includes(name) ? name : null);
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
    .command(serveCommand)
    .command(validateCommand)
    .command(runCommand)
    .command(applyCommand)
    .command(startCommand)
    .command(getCommand)
    .command(describeCommand)
    .command(resumeCommand)
    .command(cancelCommand)
    .command(pauseCommand)
    .command(compensateCommand)
    .command(approveCommand)
    .command(rejectCommand)
    .command(watchCommand)
    .command(runsCommand)
    .command(gatesCommand)
    .command(eventsCommand)
    .command(forkCommand)
    .command(exportCommand)
    .command(importCommand)
    .command(versionsCommand)
    .command(diffCommand)
    .command(deleteCommand)
    .command(replayCommand)
    .completion('completion', 'Print a script that completes commands and options in bash or zsh')
    .demandCommand(1, 'Say what to do, such as `flowgate run hello.yaml`.')
    .strict()
    .recommendCommands()
    .check(onlyOnce)
    .version(VERSION)
    .help()
    .alias('help', 'h')
    .epilogue('Every command, option and exit code, with examples: docs/cli.md in the package.')
    .wrap(Math.min(MAX_WIDTH, process.stdout.columns ?? MAX_WIDTH))
    .exitProcess(false)
    .fail(refuse);
}

/** What yargs finds wrong comes as a message. An error that a command or one of our checks throws is rethrown as it is. */
function refuse(message: string, error: Error | undefined): never {
  if (error !== undefined && error.name !== 'YError') throw error;
  throw new UsageError(message.replace(TOO_FEW, 'Something is missing: the command needs more to work on.'));
}

/** yargs makes a list of an option that is given twice, which is never intended. */
function onlyOnce(given: Readonly<Record<string, unknown>>): true {
  for (const [name, value] of Object.entries(given)) {
    if (Array.isArray(value) && !REPEATED.has(name))
      throw new UsageError(`--${name} is given more than once: give it once.`);
  }
  return true;
}
