import type { Argv } from 'yargs';
import { SETTINGS } from '../../../config/service/settings.js';
import { LIST_PAGE } from '../../../engine/request-limits.js';

const SERVER = `http://${SETTINGS.host.fallback}:${SETTINGS.port.fallback}`;

/** The options of every command that calls a server. */
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

/** The address of one run: `<workflowId> <runId>`. */
export interface RunAddressArguments {
  readonly workflowId: string;
  readonly runId: string;
}

export function withRun<T>(args: Argv<T>): Argv<T & RunAddressArguments> {
  return args
    .positional('workflowId', { type: 'string', demandOption: true, describe: 'The workflow' })
    .positional('runId', { type: 'string', demandOption: true, describe: 'Its run' });
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
export const SHOWN_RUN = 'hello 01a1f0c2-7c1e-7000-8000-000000000000';
