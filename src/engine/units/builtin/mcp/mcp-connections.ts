import type { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Agent } from 'undici';
import type { AddressPolicy } from '../../http/addresses/address-policy.js';
import { AgentsByNamespace } from '../../http/transport/agents-by-namespace.js';
import { checkedConnector } from '../../http/addresses/checked-connector.js';
import type { LargeResponses } from '../../http/large-responses/large-responses.js';
import { LEAVE_WITHIN_MS } from './attempt-http.js';

const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 4_000;
const MAX_CONNECTIONS_PER_ORIGIN = 256;

export interface McpConnectionsOptions {
  readonly addresses: AddressPolicy;
  readonly largeResponses: LargeResponses;
}

/** The connections to MCP servers, opened to checked addresses only, and the sessions that are still being ended. */
export class McpConnections {
  private readonly agents: AgentsByNamespace;
  readonly largeResponses: LargeResponses;
  readonly #leaving = new Set<Promise<void>>();

  constructor({ addresses, largeResponses }: McpConnectionsOptions) {
    this.largeResponses = largeResponses;
    const connect = checkedConnector({ addresses, connectTimeoutMs: CONNECT_TIMEOUT_MS });
    this.agents = new AgentsByNamespace(
      () =>
        new Agent({
          connect,
          connections: MAX_CONNECTIONS_PER_ORIGIN,
          keepAliveTimeout: KEEP_ALIVE_MS,
          // A tool may take as long as its attempt.
          headersTimeout: 0,
          bodyTimeout: 0,
        }),
    );
  }

  /** Those of a namespace; default: of `default`. */
  agentOf(namespace?: string): Agent {
    return this.agents.of(namespace);
  }

  /**
   * The attempt is over. Its outcome waits neither for the server to end the session nor for a handshake that is still under
   * way, which may yet create a session that has to be ended.
   */
  leave(client: Client, transport: StreamableHTTPClientTransport, handshake: Promise<void>): void {
    const leaving = left(client, transport, handshake).finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }

  /** Waits for the sessions that are being ended, then closes every connection. Later calls are refused. */
  async close(): Promise<void> {
    await Promise.all(this.#leaving);
    await this.agents.destroy();
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
