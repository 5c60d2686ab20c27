import type { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Agent } from 'undici';
import type { AddressPolicy } from '../../http/addresses/address-policy.js';
import { checkedConnector } from '../../http/addresses/checked-connector.js';
import type { LargeAnswers } from '../../http/arrivals/large-answers.js';
import { LEAVE_WITHIN_MS } from './attempt-http.js';

const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 4_000;
const MAX_CONNECTIONS_PER_ORIGIN = 256;

export interface McpConnectionsOptions {
  readonly addresses: AddressPolicy;
  readonly largeAnswers: LargeAnswers;
}

/** The connections to servers of MCP, opened to addresses that were checked, and what is still being left of them. */
export class McpConnections {
  readonly agent: Agent;
  readonly largeAnswers: LargeAnswers;
  readonly #leaving = new Set<Promise<void>>();

  constructor({ addresses, largeAnswers }: McpConnectionsOptions) {
    this.largeAnswers = largeAnswers;
    this.agent = new Agent({
      connect: checkedConnector({ addresses, connectTimeoutMs: CONNECT_TIMEOUT_MS }),
      connections: MAX_CONNECTIONS_PER_ORIGIN,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // A tool may take as long as its attempt.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * The attempt is over. Its answer does not wait for the server to end the session; nor for the handshake, should it be
   * under way: it may come to a session of which nobody knows yet.
   */
  leave(client: Client, transport: StreamableHTTPClientTransport, handshake: Promise<void>): void {
    const leaving = left(client, transport, handshake).finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }

  /** Ends the sessions that are being left, then every connection. Later calls are refused. */
  async close(): Promise<void> {
    await Promise.all(this.#leaving);
    await this.agent.destroy();
  }
}

/** Never rejects. */
async function left(
  client: Client,
  transport: StreamableHTTPClientTransport,
  handshake: Promise<void>,
): Promise<void> {
  const patience = setTimeout(() => void transport.close(), LEAVE_WITHIN_MS);
  patience.unref();
  await handshake.catch(() => undefined);
  clearTimeout(patience);
  // Where that fails, the session ends at the server by itself.
  await transport.terminateSession().catch(() => undefined);
  await client.close().catch(() => undefined);
  await transport.close().catch(() => undefined);
}
