import { setTimeout } from 'node:timers/promises';
import {
  createRequestStateCodec,
  type ClientCapabilities,
  type InitializeRequest,
  type JSONRPCRequest,
  type RequestStateCodec,
  type Server,
} from '@modelcontextprotocol/server';
import type { CreateServer } from '../server-parts.js';
import { sessionToRelease } from './session-shares.js';
import { SessionTransport } from './session-transport.js';

/** A session that is not used for so long is closed; its client can continue with it all the same. */
const IDLE_MS = 300_000;
const SWEEP_MS = 60_000;
/** How long a client can continue with a session. */
const LIFETIME_SECONDS = 30 * 86_400;
/** How many sessions are remembered that their clients have ended. */
const MAX_ENDED = 10_000;
/** How long the calls of a session that makes room for another one may take to be answered. */
const LAST_RESPONSES_MS = 1_000;

/** What is known of a client; the id of its session contains it. */
interface SessionToken {
  readonly revision: string;
  readonly capabilities: ClientCapabilities;
  /** The owner of the session, as `personTag` gives it. */
  readonly person: string;
  /** Distinguishes sessions of clients that are alike. */
  readonly nonce: string;
}

/** The user of a session. */
export interface SessionUser {
  /** The tag of the person, as `personTag` gives it. */
  readonly person: string;
  /** The caller whose share of the sessions it uses. */
  readonly caller: string;
  readonly namespace: string;
}

export interface Session {
  readonly id: string;
  readonly person: string;
  readonly namespace: string;
  /** The caller that used it last. */
  caller: string;
  readonly server: Server;
  readonly transport: SessionTransport;
  /** Resolves once the server has been told of its client. */
  readonly isReady: Promise<void>;
  usedAt: number;
}

/** Every session has requests in flight. */
export class SessionsFullError extends Error {}

export interface SessionsOptions {
  readonly createServer: CreateServer;
  /** At least 32 bytes. It is the same after a restart, because sessions outlive the process. */
  readonly key: Uint8Array;
  readonly maxSessions: number;
  /** Whether a response to any client may take more than one message. */
  readonly serverSpeaksUp: boolean;
  readonly onError: (error: Error) => void;
}

/**
 * The sessions of the 2025 revisions. The id of a session states all that must be known of its client, signed. So
 * only sessions in use are kept here, and a client notices neither that its session was closed nor that the service
 * was restarted (decision 0067).
 */
export class Sessions {
  /** The open sessions; those that were used longest ago come first. */
  private readonly open = new Map<string, Session>();
  /** The sessions that made room, and whose calls are not answered yet. */
  private readonly leaving = new Set<Session>();
  private readonly ended = new Set<string>();
  private readonly codec: RequestStateCodec<SessionToken>;
  private sweeping: NodeJS.Timeout | null = null;

  constructor(private readonly options: SessionsOptions) {
    this.codec = createRequestStateCodec({ key: options.key, ttlSeconds: LIFETIME_SECONDS });
  }

  get count(): number {
    return this.open.size;
  }

  /** Whether a client waits for a response. */
  get isBusy(): boolean {
    return this.leaving.size > 0 || [...this.open.values()].some(({ transport }) => transport.pending > 0);
  }

  /** Opens a session for a client that initialises. Throws a `SessionsFullError`. */
  async begin(
    { protocolVersion, capabilities }: InitializeRequest['params'],
    user: SessionUser,
  ): Promise<Session> {
    const token = {
      revision: protocolVersion.slice(0, 32),
      capabilities: asked(capabilities),
      person: user.person,
      nonce: crypto.randomUUID(),
    };
    return this.keep(await this.codec.mint(token), token, user);
  }

  /** The session of that id and owner; null: there is none. Throws a `SessionsFullError`. */
  async find(id: string, user: SessionUser): Promise<Session | null> {
    const { person, caller } = user;
    const session = this.open.get(id) ?? (await this.restored(id, user));
    if (session === null || session.person !== person) return null;
    // The session had to make room while it was restored: its server is closed.
    if (this.open.get(id) !== session) throw new SessionsFullError();
    session.usedAt = Date.now();
    session.caller = caller;
    this.open.delete(id);
    this.open.set(id, session);
    await session.isReady;
    return session;
  }

  /** Ends a session for its client. */
  async end(session: Session): Promise<void> {
    this.ended.add(session.id);
    for (const oldest of this.ended) {
      if (this.ended.size <= MAX_ENDED) break;
      this.ended.delete(oldest);
    }
    await this.closeSession(session);
  }

  /** Notifies every client of the namespace that listens. */
  announce(inNamespace: string, notify: (server: Server) => Promise<void>): void {
    for (const { server, transport, namespace } of this.open.values()) {
      if (transport.isListenedTo && namespace === inNamespace) notify(server).catch(this.options.onError);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.open.values(), ...this.leaving].map((session) => this.closeSession(session)));
  }

  private async restored(id: string, user: SessionUser): Promise<Session | null> {
    if (this.ended.has(id)) return null;
    const token = await this.codec.verify(id, undefined as never).catch(() => null);
    // Sessions are not closed to make room for a session of another principal.
    if (token === null || token.person !== user.person) return null;
    // Another request of the same session may have restored it first.
    return this.open.get(id) ?? this.keep(id, token, user);
  }

  private async keep(id: string, token: SessionToken, { caller, namespace }: SessionUser): Promise<Session> {
    if (!this.hasCapacity(caller)) throw new SessionsFullError();
    const { createServer, onError, serverSpeaksUp } = this.options;
    const { person, capabilities } = token;
    const isAskable = Object.keys(capabilities).length > 0;
    const transport = new SessionTransport((request) => needsStream(request, isAskable || serverSpeaksUp));
    const server = createServer();
    server.onerror = onError;
    const isReady = introduce(server, transport, token);
    const session = { id, person, namespace, caller, server, transport, isReady, usedAt: Date.now() };
    this.open.set(id, session);
    this.sweeping ??= setInterval(() => this.sweep(), SWEEP_MS).unref();
    await isReady;
    return session;
  }

  /** Whether there is capacity for one more session, for which another one may have to be closed. */
  private hasCapacity(caller: string): boolean {
    if (this.open.size < this.options.maxSessions) return true;
    const session = sessionToRelease([...this.open.values()], caller);
    if (session === null) return false;
    void this.release(session);
    return true;
  }

  /** The calls that wait for an answer of the client continue without one, and are answered first. */
  private async release(session: Session): Promise<void> {
    const { transport } = session;
    this.open.delete(session.id);
    this.leaving.add(session);
    transport.giveUpQuestions();
    await Promise.race([transport.answeredAll(), setTimeout(LAST_RESPONSES_MS, undefined, { ref: false })]);
    await this.closeSession(session);
  }

  private sweep(): void {
    const now = Date.now();
    for (const session of this.open.values()) {
      const { transport, usedAt } = session;
      const isIdle = transport.pending === 0 && !transport.isListenedTo;
      if (isIdle && now - usedAt >= IDLE_MS) void this.closeSession(session);
    }
  }

  private async closeSession(session: Session): Promise<void> {
    this.leaving.delete(session);
    // A session that made room may have been restored in the meantime.
    if (this.open.get(session.id) === session) this.open.delete(session.id);
    if (this.open.size === 0 && this.sweeping !== null) {
      clearInterval(this.sweeping);
      this.sweeping = null;
    }
    await session.server.close().catch(this.options.onError);
  }
}

/** Passes to the server what its client stated when the session began. */
async function introduce(
  server: Server,
  transport: SessionTransport,
  { revision: protocolVersion, capabilities }: SessionToken,
): Promise<void> {
  const clientInfo = { name: 'unknown', version: '0' };
  await server.connect(transport);
  await transport.seed('initialize', { protocolVersion, capabilities, clientInfo });
}

/** The client's capabilities that allow the server to ask it something. */
function asked({ elicitation, sampling, roots }: ClientCapabilities): ClientCapabilities {
  return {
    ...(elicitation === undefined ? {} : { elicitation: modes(elicitation) }),
    ...(sampling === undefined ? {} : { sampling: {} }),
    ...(roots === undefined ? {} : { roots: {} }),
  };
}

/** A client that names no mode supports the only one there was at first. */
function modes({ form, url }: NonNullable<ClientCapabilities['elicitation']>) {
  if (form === undefined && url === undefined) return { form: {} };
  return { ...(form === undefined ? {} : { form: {} }), ...(url === undefined ? {} : { url: {} }) };
}

function needsStream({ method, params }: JSONRPCRequest, mayBeAsked: boolean): boolean {
  if (method !== 'tools/call') return false;
  return mayBeAsked || params?._meta?.progressToken !== undefined;
}
