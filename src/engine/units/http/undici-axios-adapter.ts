import { AxiosError, type AxiosAdapter, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import { Agent, type buildConnector } from 'undici';
import type { LargeAnswer, LargeAnswers } from './arrivals/large-answers.js';
import { ResponseCollector } from './response-collector.js';
import { targetOf } from './target.js';

export interface UndiciAdapterOptions {
  /** Opens every connection. */
  readonly connector: buildConnector.connector;
  /** How long an idle connection is kept, unless the server says less. */
  readonly keepAliveTimeoutMs: number;
  /** Calls beyond it wait for a free connection. */
  readonly maxConnectionsPerOrigin: number;
  /** Bounds what large responses hold together. */
  readonly largeAnswers: LargeAnswers;
}

/** What a request's config may say beside what axios knows; axios passes it on. */
export interface LargeAnswerConfig {
  /** Told as soon as the response is large; its share is then to be ended. Without, it ends with the response. */
  readonly onLarge?: (share: LargeAnswer) => void;
}

/** An axios adapter and what ends it. */
export interface UndiciAxiosAdapter {
  readonly adapter: AxiosAdapter;
  /** Aborts what is under way and closes every connection. Later calls are refused. */
  close(): Promise<void>;
}

/**
 * Lets axios send over undici's pools, one per origin.
 *
 * It reads `url` (absolute), `method`, `headers`, `data` (serialized), `signal`, `maxContentLength` and `onLarge` of a
 * request's config and nothing else: no base URL, query parameters, proxy, redirect or time limit that an
 * axios instance may have as its default. `data` of the response is a Buffer.
 */
export function createUndiciAxiosAdapter(options: UndiciAdapterOptions): UndiciAxiosAdapter {
  const agent = new Agent({
    connect: resetsTold(options.connector, options.largeAnswers),
    connections: options.maxConnectionsPerOrigin,
    keepAliveTimeout: options.keepAliveTimeoutMs,
    // A unit may take as long as its own deadline allows: the signal ends a call, nothing else.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const underWay = new Set<ResponseCollector>();

  const send = async (config: InternalAxiosRequestConfig): Promise<AxiosResponse<Buffer>> => {
    const target = targetOf(config.url ?? '');
    const headers = headersOf(config);
    if (target.authorization !== null && !hasHeader(headers, 'authorization')) {
      headers['authorization'] = target.authorization;
    }
    const { onLarge } = config as LargeAnswerConfig;
    const collector = new ResponseCollector({
      maxBytes: config.maxContentLength ?? Infinity,
      largeAnswers: options.largeAnswers,
      onLarge: onLarge ?? null,
    });
    const onAbort = (): void => collector.abort(new AxiosError('aborted', AxiosError.ERR_CANCELED));
    config.signal?.addEventListener?.('abort', onAbort);
    underWay.add(collector);
    try {
      if (config.signal?.aborted === true) onAbort();
      else {
        agent.dispatch(
          { origin: target.origin, path: target.path, method: 'POST', headers, body: config.data as string },
          collector,
        );
      }
      const { status, headers: received, body } = await collector.response;
      return { status, statusText: '', headers: received, data: body, config, request: null };
    } finally {
      underWay.delete(collector);
      config.signal?.removeEventListener?.('abort', onAbort);
    }
  };

  return {
    adapter: send,
    async close() {
      for (const collector of underWay) collector.abort(new AxiosError('closed', 'UND_ERR_CLOSED'));
      await agent.destroy();
    },
  };
}

/**
 * undici ends a paused response whose connection is reset by an assertion that nobody can catch, if the server had said
 * `Connection: close`: it takes the reset for the body's end. Under another code a reset is an error and nothing else.
 */
function resetsTold(connect: buildConnector.connector, largeAnswers: LargeAnswers): buildConnector.connector {
  return (target, callback) =>
    connect(target, (...[error, socket]: Parameters<buildConnector.Callback>) => {
      if (error !== null) return callback(error, null);
      // Before undici's own listener.
      socket.on('error', (broken: NodeJS.ErrnoException) => {
        if (broken.code === 'ECONNRESET' && largeAnswers.isFull) broken.code = 'EPIPE';
      });
      callback(null, socket);
    });
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
