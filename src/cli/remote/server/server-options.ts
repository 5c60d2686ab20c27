import type { Argv } from 'yargs';
import { LIST_PAGE } from '../../../engine/request-limits.js';
import { LOCAL_SERVER, presets, type PresetSource } from '../../settings/presets.js';
import { OUTPUT_FORMATS } from '../../settings/output-formats.js';
import type { OutputArguments } from './output-format.js';
import type { NamedRun } from './run-address.js';
import { inWrittenOrder } from './run-words.js';

/** The options of every command that calls a server. */
export interface ServerArguments {
  readonly server: string;
  /** Who named it; absent: the command line. */
  readonly serverFrom?: PresetSource | undefined;
  readonly header?: readonly string[] | undefined;
  readonly tokenFile?: string | undefined;
  readonly namespace?: string | undefined;
  readonly json?: boolean | undefined;
}

export function withServer<T>(args: Argv<T>, json: string): Argv<T & ServerArguments> {
  return serverOptions(args, json).middleware((given) => namingServer(given)) as Argv<T & ServerArguments>;
}

function serverOptions<T>(args: Argv<T>, json: string) {
  return args
    .option('server', {
      type: 'string',
      requiresArg: true,
      defaultDescription: `FLOWGATE_SERVER, or ${LOCAL_SERVER}`,
      describe: 'Where to ask',
    })
    .option('header', {
      type: 'string',
      requiresArg: true,
      array: true,
      describe: '"Name: value", sent with every request',
    })
    .option('token-file', {
      type: 'string',
      requiresArg: true,
      defaultDescription: 'FLOWGATE_TOKEN',
      describe: 'A file with an API key or a token',
    })
    .option('namespace', {
      type: 'string',
      requiresArg: true,
      defaultDescription: 'FLOWGATE_NAMESPACE',
      describe: 'The namespace to work in',
    })
    .option('json', { type: 'boolean', describe: json })
    .group(['server', 'header', 'token-file', 'namespace'], 'Server:');
}

/** Only once the command line was read, so that a file that is wrong does not keep anybody from the help. */
function namingServer(given: { server?: unknown; serverFrom?: unknown }): void {
  if (given.server !== undefined) return;
  const { value, from } = presets().server;
  given.server = value;
  given.serverFrom = from;
}

/** As `withServer`, for commands that list or read something: with `--output`. */
export function withOutput<T>(args: Argv<T>, json: string): Argv<T & ServerArguments & OutputArguments> {
  return withOutputOptions(args, json).middleware((given) => namingServer(given)) as Argv<
    T & ServerArguments & OutputArguments
  >;
}

/** The same options for a command that goes on without a server. */
export function withOutputOptions<T>(args: Argv<T>, json: string) {
  return serverOptions(args, json)
    .option('output', {
      choices: OUTPUT_FORMATS,
      requiresArg: true,
      describe: 'json as --json; yaml; table for people, also in a pipe; wide: with all there is',
    })
    .conflicts('json', 'output');
}

/** A run: `<runId>`, its last eight characters, or `<workflowId> <runId>`. */
export type RunArguments = NamedRun;

export const RUN_WORDS = {
  workflow: 'Its workflow, which need not be named',
  run: 'The id of the run, or its last 8 characters',
} as const;

export function withRun<T>(args: Argv<T>): Argv<T & RunArguments> {
  return args
    .positional('workflowId', { type: 'string', describe: RUN_WORDS.workflow })
    .positional('runId', { type: 'string', demandOption: true, describe: RUN_WORDS.run })
    .middleware((given) => inWrittenOrder(given)) as Argv<T & RunArguments>;
}

/** The description of `--json` for commands that print a record. */
export const RECORD_AS_JSON = 'The record on one line, also on a terminal';

/** The description of `--json` for commands that print a list. */
export const ITEMS_AS_JSON = 'Each on a line of JSON';

/** Adds `--limit`, the most items of a list. */
export function withLimit<T>(args: Argv<T>, describe: string): Argv<T & { readonly limit: number }> {
  return args.option('limit', { type: 'number', requiresArg: true, default: LIST_PAGE.usual, describe });
}

/** The run in examples. */
export const SHOWN_RUN = '01a1f0c2-7c1e-7000-8000-000000000000';
