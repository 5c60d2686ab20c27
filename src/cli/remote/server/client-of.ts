import { FlowgateClient } from 'flowgate-client';
import { readConfig } from '../../../config/service/read-config.js';
import { inCommandWords } from '../../command-words.js';
import { UsageError } from '../../command-errors.js';
import type { ServerArguments } from './server-options.js';
import { NAMESPACE } from './server-options.js';
import { tokenOf } from './token.js';

/**
 * The client of the server that the command line names, as whoever it says. What stands on the command line takes precedence over
 * the environment. Throws a `UsageError` for an address, a header, a token or a namespace that is none.
 */
export function clientOf({ server, header = [], tokenFile, namespace }: ServerArguments): FlowgateClient {
  const { apiGroups } = readConfig(process.env).config;
  const headers = Object.fromEntries(header.map(headerOf));
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  refuseBoth(names.has('authorization') && tokenFile !== undefined, '--token-file', 'Authorization');
  refuseBoth(names.has(NAMESPACE.header) && namespace !== undefined, '--namespace', 'Flowgate-Namespace');
  const token = names.has('authorization') ? undefined : tokenOf(tokenFile, process.env);
  const within = names.has(NAMESPACE.header) ? undefined : (namespace ?? NAMESPACE.preset);
  try {
    return new FlowgateClient({ baseUrl: server, headers, token, namespace: within, apiGroups });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const message = inCommandWords(error.message);
    throw new UsageError(/^--(?:server|namespace)/.test(message) ? `${message}.` : `--header: ${message}.`);
  }
}

function refuseBoth(areGiven: boolean, option: string, name: string): void {
  if (areGiven) throw new UsageError(`${option} and --header "${name}: …" are given: leave one out.`);
}

/** The value may be a secret, so it is never shown. */
function headerOf(given: string): readonly [string, string] {
  const [, name, value] = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/s.exec(given) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError('--header is no header: write --header "Authorization: Bearer …".');
  return [name, value];
}
