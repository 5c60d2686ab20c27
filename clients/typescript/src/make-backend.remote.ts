import type { Backend } from './backend.js';
import type { FlowgateClientOptions } from './options.js';
import { remoteBackend } from './remote/make-remote-backend.js';

/** Here there are services alone. */
export function makeBackend({ baseUrl, engine, engineOptions, ...options }: FlowgateClientOptions): Backend {
  if (baseUrl === undefined || engine !== undefined || engineOptions !== undefined) {
    throw new TypeError(
      'flowgate-client/remote only calls services: give a baseUrl and no engine, or import flowgate-client',
    );
  }
  return remoteBackend(baseUrl, options);
}
