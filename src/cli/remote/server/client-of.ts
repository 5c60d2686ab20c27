import { FlowgateClient } from 'flowgate-client';
import { readConfig } from '../../../config/service/read-config.js';
import { UsageError } from '../../command-errors.js';
import { inCommandWords } from '../../command-words.js';
import type { ServerArguments } from './server-options.js';

/** The client of the server that the command line names. Throws a `UsageError` for an address or header that is none. */
export function clientOf({ server, header = [] }: ServerArguments): FlowgateClient {
  const { apiGroups } = readConfig(process.env).config;
  const headers = Object.fromEntries(header.map(headerOf));
  try {
    return new FlowgateClient({ baseUrl: server, headers, apiGroups });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const message = inCommandWords(error.message);
    throw new UsageError(message.startsWith('--server') ? `${message}.` : `--header: ${message}.`);
  }
}

/** The value may be a secret, so it is never shown. */
function headerOf(given: string): readonly [string, string] {
  const [, name, value] = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/s.exec(given) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError('--header is no header: write --header "Authorization: Bearer …".');
  return [name, value];
}
