import { debuglog } from 'node:util';
import yargs, { type Argv } from 'yargs';
import { VERSION } from '../config/version.js';
import { FlowgateError } from '../errors/flowgate-error.js';
import { InterruptedError, UsageError } from './command-errors.js';
import { EXIT } from './exit-code.js';
import { STDIN } from './input/read-text.js';
import { applyCommand } from './remote/apply-command.js';
import {
  approveCommand,
  getCommand,
  rejectCommand,
  resumeCommand,
  startCommand,
  watchCommand,
} from './remote/run-commands.js';
import { runCommand } from './run/run-command.js';
import { serveCommand } from './serve/serve-command.js';
import { note, survivePipes } from './terminal/output.js';
import { validateCommand } from './validate/validate-command.js';

const MAX_WIDTH = 100;
/** Options that may be given more than once. */
const REPEATED: ReadonlySet<string> = new Set(['bind', 'file', 'f', 'files', 'header', '_']);
/** `run` of `run <file>`. */
const NAMES = [
  serveCommand,
  validateCommand,
  runCommand,
  applyCommand,
  startCommand,
  getCommand,
  resumeCommand,
  approveCommand,
  rejectCommand,
  watchCommand,
].map(({ command }) => String(command).replace(/ .*/, ''));
/** What yargs says of a positional argument that is not there. */
const TOO_FEW = /^Not enough non-option arguments.*/;
const REFUSALS: ReadonlySet<string> = new Set(['FlowgateApiError', 'FlowgateValidationError']);
const trace = debuglog('flowgate');

/** Carries out one command and sets the exit code. What it needs is loaded once it is known which command it is. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  survivePipes();
  try {
    await parser(words(args)).parseAsync();
  } catch (error) {
    process.exitCode = tell(error, args[0]);
  }
}

/** yargs takes a lone dash for the beginning of an option, and after `--` it knows no command any more. */
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
    .command(resumeCommand)
    .command(approveCommand)
    .command(rejectCommand)
    .command(watchCommand)
    .completion('completion', 'Print a script that completes commands and options in bash or zsh')
    .demandCommand(1, 'Say what to do, such as `flowgate run hello.yaml`.')
    .strict()
    .recommendCommands()
    .check(onlyOnce)
    .version(VERSION)
    .help()
    .alias('help', 'h')
    .epilogue('Everything about it: docs/cli.md in the package.')
    .wrap(Math.min(MAX_WIDTH, process.stdout.columns ?? MAX_WIDTH))
    .exitProcess(false)
    .fail(refuse);
}

/** What yargs finds wrong comes with a message; what a command throws, or a check of ours, comes as it is. */
function refuse(message: string, error: Error | undefined): never {
  if (error !== undefined && error.name !== 'YError') throw error;
  throw new UsageError(message.replace(TOO_FEW, 'Something is missing: the command needs more to work on.'));
}

/** yargs makes a list of what is given twice; nobody means that. */
function onlyOnce(given: Readonly<Record<string, unknown>>): true {
  for (const [name, value] of Object.entries(given)) {
    if (Array.isArray(value) && !REPEATED.has(name))
      throw new UsageError(`--${name} is given more than once: give it once.`);
  }
  return true;
}

/** One clear sentence for people, and what the process ends with. */
function tell(error: unknown, command: string | undefined): number {
  if (error instanceof InterruptedError) return error.exitCode;
  if (error instanceof FlowgateError) {
    note(error.detail === undefined ? error.message : `${error.message}\n${error.detail}`);
    return EXIT.failed;
  }
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) };
  // Errors of the client are known by their names: most commands do not load it.
  if (REFUSALS.has(name)) {
    note(message);
    return EXIT.failed;
  }
  if (name === 'FlowgateUnreachableError') {
    note(`${message}\nStart one with \`flowgate serve\`, or say with --server where it is.`);
    return EXIT.unreachable;
  }
  if (name === 'UsageError') {
    note(message);
    note(
      command !== undefined && NAMES.includes(command)
        ? `See flowgate ${command} --help.`
        : 'See flowgate --help.',
    );
    return EXIT.usage;
  }
  trace('%s', error instanceof Error ? error.stack : error);
  note(`This is a fault of Flowgate: ${message}\nRun it again with NODE_DEBUG=flowgate to see where.`);
  return EXIT.failed;
}
