import type { Backend } from './backend.js';
import { DEFAULTS } from './defaults.js';
import { InProcessBackend } from './in-process/in-process-backend.js';
import type { FlowgateClientOptions } from './options.js';
import { Credentials } from './remote/credentials.js';
import { RemoteBackend } from './remote/remote-backend.js';
import { callerHeaders } from './remote/request-headers.js';
import { checkedRetries } from './remote/retry.js';
import { ServiceAddress } from './remote/service-address.js';

/** A service where there is an address, else an engine in this process. Throws a `TypeError` for options of both. */
export function makeBackend(
  options: FlowgateClientOptions & { readonly apiGroups: readonly string[] },
): Backend {
  const { baseUrl, engine, engineOptions, apiGroups } = options;
  if (baseUrl === undefined) {
    if (options.token !== undefined || options.namespace !== undefined)
      throw new TypeError('token and namespace are for a service: give its baseUrl, or leave them out');
    if (engine !== undefined && engineOptions !== undefined) {
      throw new TypeError(
        'engine and engineOptions are given: an engine has its options already, so leave one out',
      );
    }
    return new InProcessBackend(engine, { apiGroups, ...engineOptions });
  }
  if (engine !== undefined || engineOptions !== undefined) {
    throw new TypeError(
      'baseUrl and an engine are given: the client calls a service or runs in process, not both',
    );
  }
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
