import type { LookupFunction } from 'node:net';
import { AxiosHeaders, create as createAxios, type AxiosInstance, type AxiosRequestConfig } from 'axios';
import type { TransportRequest, TransportResponse, UnitTransport } from '../../ports/unit-transport.js';
import { LargeAnswers } from './arrivals/large-answers.js';
import { AddressPolicy } from './addresses/address-policy.js';
import { AddressRefusedError, checkedConnector } from './addresses/checked-connector.js';
import { networkErrorReason } from './network-error-reason.js';
import { AnswerStalledError, ResponseTooLargeError } from './response-collector.js';
import { ContentEncodingError, responseText } from './response-text.js';
import {
  createUndiciAxiosAdapter,
  type LargeAnswerConfig,
  type UndiciAxiosAdapter,
} from './undici-axios-adapter.js';

export interface TransportOptions {
  /** Where units may be called. Default: everywhere but link-local and metadata addresses. */
  readonly addresses?: AddressPolicy;
  /** How names become addresses. Default: the system's way. */
  readonly lookup?: LookupFunction;
  /**
   * The instance whose interceptors see every call; Nest's `HttpService.axiosRef` is one. Default: one of
   * its own. Of its defaults only headers are used: base URL, proxy, redirects and timeout have no effect.
   */
  readonly axios?: AxiosInstance;
  /** Bounds the opening of a connection, in ms. Default 10,000. */
  readonly connectTimeoutMs?: number;
  /** How long an idle connection is kept, in ms, unless the server says less. Default 4,000. */
  readonly keepAliveTimeoutMs?: number;
  /** Calls to one origin beyond it wait for a free connection. Default 256. */
  readonly maxConnectionsPerOrigin?: number;
  /** Bounds what large answers hold together. Default: 16 MiB. */
  readonly largeAnswers?: LargeAnswers;
}

/** HTTP units over axios and undici's pools. `close` aborts what is under way. */
export function createTransport(options: TransportOptions = {}): UnitTransport {
  const pools = createUndiciAxiosAdapter({
    connector: checkedConnector({
      addresses: options.addresses ?? new AddressPolicy(),
      connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
      ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
    }),
    keepAliveTimeoutMs: options.keepAliveTimeoutMs ?? 4_000,
    maxConnectionsPerOrigin: options.maxConnectionsPerOrigin ?? 256,
    largeAnswers: options.largeAnswers ?? new LargeAnswers(),
  });
  return new AxiosTransport(options.axios ?? createAxios(), pools);
}

class AxiosTransport implements UnitTransport {
  constructor(
    private readonly client: AxiosInstance,
    private readonly pools: UndiciAxiosAdapter,
  ) {}

  async post(request: TransportRequest): Promise<TransportResponse> {
    const protocol = protocolOf(request.url);
    if (protocol !== 'http:' && protocol !== 'https:') {
      return { kind: 'network-error', reason: 'address is not an http or https URL' };
    }
    try {
      return await this.send(request);
    } catch (error) {
      return failureOf(error, request.signal);
    }
  }

  close(): Promise<void> {
    return this.pools.close();
  }

  private async send(request: TransportRequest): Promise<TransportResponse> {
    const { maxResponseBytes, holder } = request;
    const config: AxiosRequestConfig & LargeAnswerConfig = {
      method: 'post',
      url: request.url,
      headers: requestHeaders(request.headers),
      data: request.body,
      signal: request.signal,
      maxContentLength: maxResponseBytes,
      responseType: 'arraybuffer',
      adapter: this.pools.adapter,
      // The body is serialized and the answer is decoded here: axios's own transforms cost half its speed.
      transformRequest: [],
      transformResponse: [],
      validateStatus: null,
      ...(holder?.hold === undefined ? {} : { onLarge: (share) => holder.hold?.(share) }),
    };
    const response = await this.client.request<Buffer>(config);
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(response.headers)) headers[name] = String(value);
    const body = await responseText(response.data, headers, maxResponseBytes);
    return { kind: 'response', status: response.status, headers, body };
  }
}

function protocolOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).protocol : null;
}

/** axios keeps headers as members beside its methods: one that is named `get` must not replace a method. */
function requestHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const safe: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    safe[name in AxiosHeaders.prototype ? name.toUpperCase() : name] = value;
  }
  safe['accept-encoding'] = 'identity';
  return safe;
}

function failureOf(error: unknown, signal: AbortSignal): TransportResponse {
  if (signal.aborted) return { kind: 'network-error', reason: 'aborted' };
  if (error instanceof AddressRefusedError) return { kind: 'refused', reason: error.message };
  if (error instanceof ResponseTooLargeError) return { kind: 'too-large' };
  if (error instanceof AnswerStalledError) {
    return {
      kind: 'network-error',
      reason: 'the answer came to a halt while other large ones waited for it',
    };
  }
  if (error instanceof ContentEncodingError) {
    return { kind: 'network-error', reason: 'content encoding of the response cannot be read' };
  }
  return { kind: 'network-error', reason: networkErrorReason(error) };
}
