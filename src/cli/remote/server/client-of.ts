import { FlowgateClient } from 'flowgate-client';
import { readConfig } from '../../../config/service/read-config.js';
import { oneLine } from '../../terminal/printable.js';
import { inCommandWords } from '../../command-words.js';
import { UsageError } from '../../command-errors.js';
import { isLoopback } from '../../../config/access/loopback.js';
import { presets } from '../../settings/presets.js';
import type { ServerArguments } from './server-options.js';
import { TOKEN_VARIABLE, tokenOf } from './token.js';

const NAMESPACE_HEADER = 'flowgate-namespace';

/**
 * The client of the server that the command line names, as whoever it says. What stands on the command line takes precedence over
 * the environment. Throws a `UsageError` for an address, a header, a token or a namespace that is none.
 */
export function clientOf(given: ServerArguments): FlowgateClient {
  const { server, header = [], tokenFile, namespace } = given;
  const { apiGroups } = readConfig(process.env).config;
  const headers = Object.fromEntries(header.map(headerOf));
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  refuseBoth(names.has('authorization') && tokenFile !== undefined, '--token-file', 'Authorization');
  refuseBoth(names.has(NAMESPACE_HEADER) && namespace !== undefined, '--namespace', 'Flowgate-Namespace');
  const token = names.has('authorization') ? undefined : tokenOf(tokenFile, process.env);
  if (token !== undefined && tokenFile === undefined) refuseStrangers(given);
  const within = names.has(NAMESPACE_HEADER) ? undefined : (namespace ?? presets().namespace?.value);
  try {
    return new FlowgateClient({ baseUrl: server, headers, token, namespace: within, apiGroups });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const message = inCommandWords(error.message);
    throw new UsageError(/^--(?:server|namespace)/.test(message) ? `${message}.` : `--header: ${message}.`);
  }
}

/**
 * A folder's file comes with a clone: it must not lead what stands in the environment to a server of its author's. Loopback
 * addresses are this machine's, and a file that is named on the command line was named for this server.
 */
function refuseStrangers({ server, serverFrom }: ServerArguments): void {
  if (serverFrom !== 'folder' || isLoopback(hostOf(server))) return;
  throw new UsageError(
    `${TOKEN_VARIABLE} is not sent to ${oneLine(server, 200)}, which ${oneLine(String(presets().file), 300)} alone names: if you ` +
      'trust that server, name it with --server or FLOWGATE_SERVER, or name a file that holds the token with --token-file.',
  );
}

function hostOf(server: string): string {
  return URL.parse(server)?.hostname.replace(/^\[|\]$/g, '') ?? '';
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
