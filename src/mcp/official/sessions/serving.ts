import { createMcpHandler, isInitializeRequest, type McpHttpHandler } from '@modelcontextprotocol/server';
import { INVALID_REQUEST, UNAVAILABLE } from '../../json-rpc.js';
import { ChangeBus } from './change-bus.js';
import { isModern } from './era.js';
import { faultResponse, SESSION_ID, type HttpResponse, type HttpExchange } from './http-exchange.js';
import { personTag, signingKey } from '../keys.js';
import type { CreateServer } from '../server-parts.js';
import { SessionTransport } from './session-transport.js';
import { Sessions, SessionsFullError, type Session } from './sessions.js';

export interface ServingOptions {
  readonly createServer: CreateServer;
  readonly serverSpeaksUp: boolean;
  readonly rootKey: Uint8Array;
  readonly maxSessions: number;
  readonly onError: (error: Error) => void;
}

const SESSION_NOT_FOUND = -32_001;

/**
 * Serves the official revisions: those from 2026-07-28 on request by request, with the handler of the SDK; those of
 * 2025 in sessions, or without one if a client has none.
 */
export class Serving {
  private readonly modern: McpHttpHandler;
  private readonly sessions: Sessions;
  private readonly key: Uint8Array;
  private readonly changes: ChangeBus;
  private answering = 0;

  constructor(private readonly options: ServingOptions) {
    const { createServer, rootKey, maxSessions, serverSpeaksUp, onError } = options;
    this.key = signingKey(rootKey, 'sessions');
    this.sessions = new Sessions({ createServer, key: this.key, maxSessions, serverSpeaksUp, onError });
    this.changes = new ChangeBus(onError);
    this.modern = createMcpHandler(
      ({ requestInfo }) => createServer(requestInfo?.headers.get('mcp-method')),
      {
        legacy: 'reject',
        onerror: onError,
        maxSubscriptions: maxSessions,
        bus: this.changes,
      },
    );
  }

  /** How many sessions there are. */
  get sessionCount(): number {
    return this.sessions.count;
  }

  /** Whether a client waits for a response. */
  get isBusy(): boolean {
    return this.answering > 0 || this.sessions.isBusy;
  }

  async answer(exchange: HttpExchange): Promise<HttpResponse> {
    this.answering += 1;
    try {
      return await this.answered(exchange);
    } finally {
      this.answering -= 1;
    }
  }

  /** Notifies the clients in the namespace that have subscribed to such changes. */
  announce(what: 'tools' | 'resources', namespace: string): void {
    this.changes.publishIn(namespace, what);
    this.sessions.announce(namespace, (server) =>
      what === 'tools' ? server.sendToolListChanged() : server.sendResourceListChanged(),
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.modern.close(), this.sessions.close()]);
  }

  private async answered(exchange: HttpExchange): Promise<HttpResponse> {
    const { request, body, authInfo, context } = exchange;
    if (await isModern(exchange)) {
      const serve = () => this.modern.fetch(request, { parsedBody: body, authInfo });
      return this.changes.in(context.engine.namespace, serve);
    }
    try {
      return await this.answerLegacy(exchange);
    } catch (error) {
      if (!(error instanceof SessionsFullError)) throw error;
      return faultResponse(503, UNAVAILABLE, 'Every session has something under way: try again later');
    }
  }

  private async answerLegacy(exchange: HttpExchange): Promise<HttpResponse> {
    const { request, body, context } = exchange;
    const { caller = '', engine } = context;
    const user = { person: personTag(this.key, context), caller, namespace: engine.namespace };
    const id = request.headers.get(SESSION_ID);
    if (id !== null) {
      const session = await this.sessions.find(id, user);
      return session === null
        ? faultResponse(404, SESSION_NOT_FOUND, 'Session not found: initialize again')
        : this.inSession(session, exchange);
    }
    if (!isInitializeRequest(body)) return this.alone(exchange);
    const session = await this.sessions.begin(body.params, user);
    const response = await session.transport.post(exchange);
    if (response instanceof Response) response.headers.set(SESSION_ID, session.id);
    return response;
  }

  private async inSession(session: Session, exchange: HttpExchange): Promise<HttpResponse> {
    switch (exchange.request.method) {
      case 'POST':
        // The session's id states what the client can do, and cannot be changed any more.
        return [exchange.body].flat().some((message) => isInitializeRequest(message))
          ? faultResponse(
              400,
              INVALID_REQUEST,
              'The session has begun: initialize without Mcp-Session-Id for another one',
            )
          : session.transport.post(exchange);
      case 'GET':
        return session.transport.listen(exchange);
      default:
        await this.sessions.end(session);
        return new Response(null, { status: 200 });
    }
  }

  /**
   * For a client of a 2025 revision without a session: a server for this request alone, which cannot send messages of
   * its own.
   */
  private async alone(exchange: HttpExchange): Promise<HttpResponse> {
    const server = this.options.createServer();
    const transport = new SessionTransport(() => false);
    try {
      await server.connect(transport);
      return await transport.post(exchange);
    } finally {
      await server.close();
    }
  }
}
