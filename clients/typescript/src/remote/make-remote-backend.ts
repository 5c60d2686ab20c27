import { DEFAULTS } from '../defaults.js';
import type { FlowgateClientOptions } from '../options.js';
import { RemoteBackend } from './remote-backend.js';
import { checkedHeaders } from './request-headers.js';
import { checkedRetries } from './retry.js';
import { ServiceAddress } from './service-address.js';

/** Throws a `TypeError` for options that cannot be meant. */
export function remoteBackend(
  baseUrl: string,
  options: Pick<FlowgateClientOptions, 'fetch' | 'headers' | 'maxResponseBytes' | 'retries'>,
): RemoteBackend {
  const { headers = {}, retries, maxResponseBytes = DEFAULTS.maxResponseBytes } = options;
  if (!(maxResponseBytes >= 1)) throw new TypeError('maxResponseBytes must be a number of at least 1');
  return new RemoteBackend(new ServiceAddress(baseUrl), {
    fetch: options.fetch ?? ((...call) => globalThis.fetch(...call)),
    headers: checkedHeaders(headers),
    retries: checkedRetries(retries),
    maxResponseBytes,
  });
}
