import type { LookupFunction } from 'node:net';
import { Agent, type buildConnector } from 'undici';
import { AddressPolicy } from '../addresses/address-policy.js';
import { checkedConnector } from '../addresses/checked-connector.js';
import { LargeAnswers } from '../arrivals/large-answers.js';
import { ResponseCollector, type ResponseTaker } from './response-collector.js';
import { TransportClosedError } from './transport-failure.js';

export interface TransportOptions {
  /** Where units may be called. Default: everywhere but link-local and metadata addresses. */
  readonly addresses?: AddressPolicy;
  /** How names become addresses. Default: the system's way. */
  readonly lookup?: LookupFunction;
  /** Bounds the opening of a connection, in ms. Default 10,000. */
  readonly connectTimeoutMs?: number;
  /** How long an idle connection is kept, in ms, unless the server says less. Default 4,000. */
  readonly keepAliveTimeoutMs?: number;
  /** Calls to one origin beyond it wait for a free connection. Default 256. */
  readonly maxConnectionsPerOrigin?: number;
  /** Bounds what large answers hold together. Default: 16 MiB. */
  readonly largeAnswers?: LargeAnswers;
}

/** A POST as undici takes it. */
export interface PooledPost {
  readonly origin: string;
  /** With the query. */
  readonly path: string;
  readonly method: 'POST';
  /** By name, or name, value, name, value. */
  readonly headers: Record<string, string> | string[];
  readonly body: string;
}

/** undici's connections, one pool per origin, opened to addresses that were checked. Both ways to call a unit use it. */
export class UnitPools {
  private readonly agent: Agent;
  private readonly largeAnswers: LargeAnswers;
  private readonly underWay = new Set<ResponseCollector>();

  constructor(options: TransportOptions) {
    this.largeAnswers = options.largeAnswers ?? new LargeAnswers();
    const connector = checkedConnector({
      addresses: options.addresses ?? new AddressPolicy(),
      connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
      ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
    });
    this.agent = new Agent({
      connect: resetsTold(connector, this.largeAnswers),
      connections: options.maxConnectionsPerOrigin ?? 256,
      keepAliveTimeout: options.keepAliveTimeoutMs ?? 4_000,
      // A unit may take as long as its own deadline allows: the attempt's end ends a call, nothing else.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Where a response is to arrive; `send` comes next, unless it was aborted. */
  collector(maxBytes: number, taker: ResponseTaker): ResponseCollector {
    return new ResponseCollector(maxBytes, taker, this.largeAnswers, this.underWay);
  }

  send(post: PooledPost, collector: ResponseCollector): void {
    this.agent.dispatch(post, collector);
  }

  /** Aborts what is under way and closes every connection. Later calls are refused. */
  async close(): Promise<void> {
    for (const collector of this.underWay) collector.abort(new TransportClosedError());
    await this.agent.destroy();
  }
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
