import type { LookupFunction } from 'node:net';
import { Agent, type buildConnector } from 'undici';
import { AddressPolicy } from '../addresses/address-policy.js';
import { checkedConnector } from '../addresses/checked-connector.js';
import { AgentsByNamespace } from './agents-by-namespace.js';
import { LargeResponses } from '../large-responses/large-responses.js';
import { ResponseCollector, type ResponseTaker } from './response-collector.js';
import { TransportClosedError } from './transport-failure.js';

export interface TransportOptions {
  /** Where units may be called. Default: everywhere but link-local and metadata addresses. */
  readonly addresses?: AddressPolicy;
  /** How names are resolved. Default: the system's resolver. */
  readonly lookup?: LookupFunction;
  /** Bounds the opening of a connection, in ms. Default 10,000. */
  readonly connectTimeoutMs?: number;
  /** How long an idle connection is kept, in ms, unless the server says less. Default 4,000. */
  readonly keepAliveTimeoutMs?: number;
  /** Calls of a namespace to one origin beyond it wait for a free connection. Default 256. */
  readonly maxConnectionsPerOrigin?: number;
  /** Bounds what large responses hold together. Default: 16 MiB. */
  readonly largeResponses?: LargeResponses;
}

/** A POST as undici takes it. */
export interface PooledPost {
  readonly origin: string;
  /** The path with the query. */
  readonly path: string;
  readonly method: 'POST';
  /** By name, or name, value, name, value. */
  readonly headers: Record<string, string> | string[];
  readonly body: string;
}

/** undici's connections, one pool per namespace and origin, opened to addresses that were checked. Both ways to call a unit use it. */
export class UnitPools {
  private readonly agents: AgentsByNamespace;
  private readonly largeResponses: LargeResponses;
  private readonly underWay = new Set<ResponseCollector>();

  constructor(options: TransportOptions) {
    this.largeResponses = options.largeResponses ?? new LargeResponses();
    const connector = checkedConnector({
      addresses: options.addresses ?? new AddressPolicy(),
      connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
      ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
    });
    const connect = reportingResets(connector, this.largeResponses);
    this.agents = new AgentsByNamespace(
      () =>
        new Agent({
          connect,
          connections: options.maxConnectionsPerOrigin ?? 256,
          keepAliveTimeout: options.keepAliveTimeoutMs ?? 4_000,
          // A unit may take as long as its own deadline allows: the attempt's end ends a call, nothing else.
          headersTimeout: 0,
          bodyTimeout: 0,
        }),
    );
  }

  /** Creates the collector of a response; `send` comes next, unless it was aborted. */
  collector(maxBytes: number, taker: ResponseTaker): ResponseCollector {
    return new ResponseCollector(maxBytes, taker, this.largeResponses, this.underWay);
  }

  /** `namespace`: whose connections it uses; default: those of `default`. */
  send(post: PooledPost, collector: ResponseCollector, namespace?: string): void {
    this.agents.of(namespace).dispatch(post, collector);
  }

  /** Aborts what is under way and closes every connection. Later calls are refused. */
  async close(): Promise<void> {
    for (const collector of this.underWay) collector.abort(new TransportClosedError());
    await this.agents.destroy();
  }
}

/**
 * When the connection of a paused response is reset, and the server had sent `Connection: close`, undici takes the reset for
 * the body's end and fails an assertion that cannot be caught. Under another code a reset is an error and nothing else.
 */
function reportingResets(
  connect: buildConnector.connector,
  largeResponses: LargeResponses,
): buildConnector.connector {
  return (target, callback) =>
    connect(target, (...[error, socket]: Parameters<buildConnector.Callback>) => {
      if (error !== null) return callback(error, null);
      // This listener runs before undici's own.
      socket.on('error', (broken: NodeJS.ErrnoException) => {
        if (broken.code === 'ECONNRESET' && largeResponses.isFull) broken.code = 'EPIPE';
      });
      callback(null, socket);
    });
}
