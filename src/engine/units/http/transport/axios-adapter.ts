import { AxiosError, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import type { TransportRequest } from '../../../ports/unit-transport.js';
import { targetOf } from '../target.js';
import type { CollectedResponse } from './response-collector.js';
import { CallAbortedError } from './transport-failure.js';
import type { UnitPools } from './unit-pools.js';

/** What a request's config may hold next to the fields that axios knows; axios passes it on. */
export type PoolsConfig = Pick<TransportRequest, 'holder' | 'namespace'>;

export type PoolsAdapter = (config: InternalAxiosRequestConfig) => Promise<AxiosResponse<Buffer>>;

/**
 * Lets axios send over our pools.
 *
 * It reads `url` (absolute), `headers`, `data` (serialized), `signal`, `maxContentLength`, `holder` and `namespace` of a request's
 * config and nothing else: no base URL, query parameters, proxy, redirect or time limit that an axios instance may have
 * as its default. `data` of the response is a Buffer.
 */
export function poolsAdapter(pools: UnitPools): PoolsAdapter {
  return async (config) => {
    const target = targetOf(config.url ?? '');
    if (target === null) throw new AxiosError('not an address', AxiosError.ERR_INVALID_URL);
    const { origin, path, authorization } = target;
    const headers = headersOf(config);
    if (authorization !== null && !hasHeader(headers, 'authorization')) {
      headers['authorization'] = authorization;
    }
    const { promise, resolve, reject } = Promise.withResolvers<CollectedResponse>();
    const { holder, namespace } = config as PoolsConfig;
    const collector = pools.collector(config.maxContentLength ?? Infinity, {
      received: resolve,
      failed: reject,
      holder,
    });
    const onAbort = (): void => collector.abort(new CallAbortedError());
    config.signal?.addEventListener?.('abort', onAbort);
    try {
      if (config.signal?.aborted === true) onAbort();
      else {
        const post = { origin, path, method: 'POST' as const, headers, body: config.data as string };
        pools.send(post, collector, namespace);
      }
      const { status, headers: received, body } = await promise;
      return { status, statusText: '', headers: received, data: body, config, request: null };
    } finally {
      config.signal?.removeEventListener?.('abort', onAbort);
    }
  };
}

function headersOf(config: InternalAxiosRequestConfig): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(config.headers)) {
    if (value !== null && value !== undefined && value !== false) headers[name] = String(value);
  }
  return headers;
}

function hasHeader(headers: Readonly<Record<string, string>>, name: string): boolean {
  return Object.keys(headers).some((given) => given.toLowerCase() === name);
}
