import { DEFAULTS } from '../defaults.js';
import type { FlowgateClientOptions } from '../options.js';
import { Credentials } from './credentials.js';
import { RemoteBackend } from './remote-backend.js';
import { callerHeaders } from './request-headers.js';
import { checkedRetries } from './retry.js';
import { ServiceAddress } from './service-address.js';

/** Throws a `TypeError` for options that cannot be meant. */
export function remoteBackend(
  baseUrl: string,
  options: Pick<
    FlowgateClientOptions,
    'fetch' | 'headers' | 'maxResponseBytes' | 'namespace' | 'retries' | 'token'
  >,
): RemoteBackend {
  const { retries, maxResponseBytes = DEFAULTS.maxResponseBytes } = options;
  if (!(maxResponseBytes >= 1)) throw new TypeError('maxResponseBytes must be a number of at least 1');
  return new RemoteBackend(new ServiceAddress(baseUrl), {
    fetch: options.fetch ?? ((...call) => globalThis.fetch(...call)),
    headers: callerHeaders(options),
    credentials: new Credentials(options.token),
    retries: checkedRetries(retries),
    maxResponseBytes,
  });
}
