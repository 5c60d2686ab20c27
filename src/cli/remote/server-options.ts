import type { Argv } from 'yargs';

/** Of a list, unless somebody says otherwise. */
const DEFAULT_LIMIT = 50;
const SERVER = 'http://127.0.0.1:8787';

/** What every command that asks a server takes. */
export interface ServerArguments {
  readonly server: string;
  readonly header?: readonly string[] | undefined;
  readonly json?: boolean | undefined;
}

export function withServer<T>(args: Argv<T>, json: string): Argv<T & ServerArguments> {
  return args
    .option('server', {
      type: 'string',
      requiresArg: true,
      default: process.env['FLOWGATE_SERVER']?.trim() || SERVER,
      defaultDescription: `FLOWGATE_SERVER, or ${SERVER}`,
      describe: 'Where to ask',
    })
    .option('header', {
      type: 'string',
      requiresArg: true,
      array: true,
      describe: '"Name: value", sent with every request',
    })
    .option('json', { type: 'boolean', describe: json });
}

/** One run: `<workflowId> <runId>`. */
export interface RunAddressArguments {
  readonly workflowId: string;
  readonly runId: string;
}

export function withRun<T>(args: Argv<T>): Argv<T & RunAddressArguments> {
  return args
    .positional('workflowId', { type: 'string', demandOption: true, describe: 'The workflow' })
    .positional('runId', { type: 'string', demandOption: true, describe: 'Its run' });
}

/** For commands that answer with a record. */
export const RECORD_AS_JSON = 'The record on one line, also on a terminal';

/** For commands that answer with a list. */
export const ITEMS_AS_JSON = 'Each on a line of JSON';

/** How many of a list. */
export function withLimit<T>(args: Argv<T>, describe: string): Argv<T & { readonly limit: number }> {
  return args.option('limit', { type: 'number', requiresArg: true, default: DEFAULT_LIMIT, describe });
}

/** In examples. */
export const SHOWN_RUN = 'hello 01a1f0c2-7c1e-7000-8000-000000000000';
