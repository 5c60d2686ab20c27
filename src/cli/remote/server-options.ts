import type { Argv } from 'yargs';

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
