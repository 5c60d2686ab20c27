import { AxiosHeaders, create, type AxiosInstance, type AxiosRequestConfig } from 'axios';
import type { TransportRequest, TransportResponse, UnitTransport } from '../../../ports/unit-transport.js';
import { targetOf } from '../target.js';
import { poolsAdapter, type PoolsAdapter, type PoolsConfig } from './axios-adapter.js';
import { responseText } from './response-text.js';
import { CallAbortedError, failureOf } from './transport-failure.js';
import { UnitPools, type TransportOptions } from './unit-pools.js';

/**
 * HTTP units through an axios instance of a host (Nest's `HttpService.axiosRef` is one), whose interceptors see every
 * call; below it are the same pools, checks and bounds as without. Of the instance's defaults only headers are used: base
 * URL, proxy, redirects and timeout have no effect. A call costs two to three times what it costs without axios.
 */
export function createAxiosTransport(client: AxiosInstance, options: TransportOptions = {}): UnitTransport {
  return new AxiosTransport(client, new UnitPools(options));
}

/** An instance with these defaults, for units alone. */
export const createAxios: (defaults: AxiosRequestConfig) => AxiosInstance = create;

class AxiosTransport implements UnitTransport {
  private readonly adapter: PoolsAdapter;

  constructor(
    private readonly client: AxiosInstance,
    private readonly pools: UnitPools,
  ) {
    this.adapter = poolsAdapter(pools);
  }

  async post(request: TransportRequest): Promise<TransportResponse> {
    if (targetOf(request.url) === null) {
      return { kind: 'network-error', reason: 'address is not an http or https URL' };
    }
    try {
      return await this.send(request);
    } catch (error) {
      return failureOf(request.signal.aborted ? new CallAbortedError() : error);
    }
  }

  close(): Promise<void> {
    return this.pools.close();
  }

  private async send(request: TransportRequest): Promise<TransportResponse> {
    const { maxResponseBytes, holder, namespace } = request;
    const config: AxiosRequestConfig & PoolsConfig = {
      method: 'post',
      url: request.url,
      headers: requestHeaders(request.headers),
      data: request.body,
      signal: request.signal,
      maxContentLength: maxResponseBytes,
      responseType: 'arraybuffer',
      adapter: this.adapter,
      // The body is serialized and the response is decoded here: axios's own transforms cost half its speed.
      transformRequest: [],
      transformResponse: [],
      validateStatus: null,
      ...(holder === undefined ? {} : { holder }),
      ...(namespace === undefined ? {} : { namespace }),
    };
    const response = await this.client.request<Buffer>(config);
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(response.headers)) headers[name] = String(value);
    const body = await responseText(response.data, headers, maxResponseBytes);
    return { kind: 'response', status: response.status, headers, body };
  }
}

/** axios keeps headers as members next to its methods: one that is named `get` must not replace a method. */
function requestHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const safe: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    safe[name in AxiosHeaders.prototype ? name.toUpperCase() : name] = value;
  }
  safe['accept-encoding'] = 'identity';
  return safe;
}
