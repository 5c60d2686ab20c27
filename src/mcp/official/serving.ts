import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
  type AuthInfo,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';
import { isRecord } from '../plain/rpc-request.js';
import { personTag, signingKey } from './keys.js';
import type { CreateServer } from './server-parts.js';
import { SESSION_ID } from './session-id.js';
import type { HttpExchange } from './session-transport.js';
import { Sessions, type Session } from './sessions.js';

export interface ServingOptions {
  readonly createServer: CreateServer;
  readonly serverSpeaksUp: boolean;
  readonly encryptionKey: Uint8Array | null;
  readonly maxSessions: number;
  readonly onError: (error: Error) => void;
}

const SESSION_NOT_FOUND = -32_001;
const UNAVAILABLE = -32_000;

/**
 * Serves the official revisions: those from 2026-07-28 on one request at a time, by the handler of the SDK; those of 2025
 * in sessions, and without one where a client has none.
 */
export class Serving {
  private readonly modern: McpHttpHandler;
  private readonly sessions: Sessions;
  private readonly key: Uint8Array;

  constructor(private readonly options: ServingOptions) {
    const { createServer, encryptionKey, maxSessions, serverSpeaksUp, onError } = options;
    this.key = signingKey(encryptionKey, 'sessions');
    this.sessions = new Sessions({ createServer, key: this.key, maxSessions, serverSpeaksUp, onError });
    this.modern = createMcpHandler(() => createServer(), {
      legacy: 'reject',
      onerror: onError,
      maxSubscriptions: maxSessions,
    });
  }

  /** How many sessions there are. */
  get sessionCount(): number {
    return this.sessions.count;
  }

  async answer(exchange: HttpExchange): Promise<Response> {
    const { request, body, authInfo } = exchange;
    if (await isModern(exchange)) return this.modern.fetch(request, { parsedBody: body, authInfo });
    const id = request.headers.get(SESSION_ID);
    if (id !== null) {
      const session = await this.sessions.find(id, personTag(this.key, authInfo));
      return session === null
        ? fault(404, SESSION_NOT_FOUND, 'Session not found: initialize again')
        : this.inSession(session, exchange);
    }
    if (isInitializeRequest(body)) return this.initialize(exchange, body.params);
    return this.alone(exchange);
  }

  /** Something that clients have asked to hear of has changed. */
  announce(what: 'tools' | 'resources'): void {
    if (what === 'tools') this.modern.notify.toolsChanged();
    else this.modern.notify.resourcesChanged();
    this.sessions.announce((server) =>
      what === 'tools' ? server.sendToolListChanged() : server.sendResourceListChanged(),
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.modern.close(), this.sessions.close()]);
  }

  private async initialize(
    exchange: HttpExchange,
    params: Parameters<Sessions['begin']>[0],
  ): Promise<Response> {
    const session = await this.sessions.begin(params, personTag(this.key, exchange.authInfo));
    if (session === null) {
      return fault(503, UNAVAILABLE, 'Every session has something under way: try again later');
    }
    const response = await session.transport.post(exchange);
    response.headers.set(SESSION_ID, session.id);
    return response;
  }

  private async inSession(session: Session, exchange: HttpExchange): Promise<Response> {
    switch (exchange.request.method) {
      case 'POST':
        return session.transport.post(exchange);
      case 'GET':
        return session.transport.listen(exchange);
      default:
        await this.sessions.end(session);
        return new Response(null, { status: 200 });
    }
  }

  /** A client of a 2025 revision that keeps no session: a server for this request alone, which cannot speak up. */
  private async alone({ request, body, authInfo }: HttpExchange): Promise<Response> {
    const server = this.options.createServer();
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    try {
      await server.connect(transport);
      return await transport.handleRequest(request, { parsedBody: body, authInfo });
    } finally {
      await server.close();
    }
  }
}

/** As the SDK decides it. It reads the message whole for that, so what can be seen at a glance is not asked. */
async function isModern({ request, body }: HttpExchange): Promise<boolean> {
  if (isRecord(body) && body['jsonrpc'] === '2.0' && typeof body['method'] === 'string') {
    if (claimsRevision(body['params'])) return true;
    const revision = request.headers.get('mcp-protocol-version');
    if (revision === null || SUPPORTED_PROTOCOL_VERSIONS.includes(revision)) return false;
  }
  return !(await isLegacyRequest(request, body));
}

/** Whether a message says of which revision it is, which only those from 2026-07-28 on do. */
function claimsRevision(params: unknown): boolean {
  if (!isRecord(params)) return false;
  const meta = params['_meta'];
  return isRecord(meta) && PROTOCOL_VERSION_META_KEY in meta;
}

function fault(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });
}

export type { AuthInfo };
