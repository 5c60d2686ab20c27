import type { Backend } from './backend.js';
import { InProcessBackend } from './in-process/in-process-backend.js';
import type { FlowgateClientOptions } from './options.js';
import { remoteBackend } from './remote/make-remote-backend.js';

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
  return remoteBackend(baseUrl, options);
}
