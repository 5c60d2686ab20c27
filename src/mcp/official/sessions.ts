import { setTimeout } from 'node:timers/promises';
import {
  createRequestStateCodec,
  type ClientCapabilities,
  type InitializeRequest,
  type JSONRPCRequest,
  type RequestStateCodec,
  type Server,
} from '@modelcontextprotocol/server';
import type { CreateServer } from './server-parts.js';
import { sessionToRelease } from './session-shares.js';
import { SessionTransport } from './session-transport.js';

/** A session is closed once nobody has used it for so long; its client can go on with it all the same. */
const IDLE_MS = 300_000;
const SWEEP_MS = 60_000;
/** How long a client can go on with a session. */
const LIFETIME_SECONDS = 30 * 86_400;
/** How many sessions that their clients have ended are remembered. */
const MAX_ENDED = 10_000;
/** How long those calls may take to be answered whose session makes room for another one. */
const LAST_ANSWERS_MS = 1_000;

/** What is known of a client, and stands in the id of its session. */
interface SessionToken {
  readonly revision: string;
  readonly capabilities: ClientCapabilities;
  /** Whose it is, as `personTag` has it. */
  readonly person: string;
  /** Two clients that are alike have sessions of their own. */
  readonly nonce: string;
}

/** Who uses a session. */
export interface SessionUser {
  /** As `personTag` has it. */
  readonly person: string;
  /** Whose share of the sessions it takes. */
  readonly caller: string;
}

export interface Session {
  readonly id: string;
  readonly person: string;
  /** Who used it last. */
  caller: string;
  readonly server: Server;
  readonly transport: SessionTransport;
  /** Until then the server has not heard of its client. */
  readonly isReady: Promise<void>;
  usedAt: number;
}

/** Every session that is kept has something under way. */
export class SessionsFullError extends Error {}

export interface SessionsOptions {
  readonly createServer: CreateServer;
  /** At least 32 bytes. The same after a restart: sessions outlive it. */
  readonly key: Uint8Array;
  readonly maxSessions: number;
  /** Whether an answer to any client may take more than one message. */
  readonly serverSpeaksUp: boolean;
  readonly onError: (error: Error) => void;
}

/**
 * The sessions of the 2025 revisions. The id of a session says all that must be known of its client, signed: so what is kept
 * here is no more than what is in use, and a client never notices that it was let go, nor that the service was started
 * anew (decision 0067).
 */
export class Sessions {
  /** Those that were used longest ago come first. */
  private readonly open = new Map<string, Session>();
  /** Those that made room and whose calls are not answered yet. */
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

  /** Whether a client waits for an answer. */
  get isBusy(): boolean {
    return this.leaving.size > 0 || [...this.open.values()].some(({ transport }) => transport.pending > 0);
  }

  /** A session for a client that introduces itself. Throws a `SessionsFullError`. */
  async begin(
    { protocolVersion, capabilities }: InitializeRequest['params'],
    { person, caller }: SessionUser,
  ): Promise<Session> {
    const token = {
      revision: protocolVersion.slice(0, 32),
      capabilities: asked(capabilities),
      person,
      nonce: crypto.randomUUID(),
    };
    return this.keep(await this.codec.mint(token), token, caller);
  }

  /** The session of that id and person; null: there is none. Throws a `SessionsFullError`. */
  async find(id: string, { person, caller }: SessionUser): Promise<Session | null> {
    const session = this.open.get(id) ?? (await this.restored(id, { person, caller }));
    if (session === null || session.person !== person) return null;
    // It had to make room while it was made: its server is closed.
    if (this.open.get(id) !== session) throw new SessionsFullError();
    session.usedAt = Date.now();
    session.caller = caller;
    this.open.delete(id);
    this.open.set(id, session);
    await session.isReady;
    return session;
  }

  /** Its client has done with it. */
  async end(session: Session): Promise<void> {
    this.ended.add(session.id);
    for (const oldest of this.ended) {
      if (this.ended.size <= MAX_ENDED) break;
      this.ended.delete(oldest);
    }
    await this.letGo(session);
  }

  /** Tells every client that listens. */
  announce(tell: (server: Server) => Promise<void>): void {
    for (const { server, transport } of this.open.values()) {
      if (transport.isListenedTo) tell(server).catch(this.options.onError);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.open.values(), ...this.leaving].map((session) => this.letGo(session)));
  }

  private async restored(id: string, { person, caller }: SessionUser): Promise<Session | null> {
    if (this.ended.has(id)) return null;
    const token = await this.codec.verify(id, undefined as never).catch(() => null);
    // Nobody has to make room for a session of somebody else.
    if (token === null || token.person !== person) return null;
    // Another request of the same session may have been quicker.
    return this.open.get(id) ?? this.keep(id, token, caller);
  }

  private async keep(id: string, token: SessionToken, caller: string): Promise<Session> {
    if (!this.hasRoom(caller)) throw new SessionsFullError();
    const { createServer, onError, serverSpeaksUp } = this.options;
    const { person, capabilities } = token;
    const isAskable = Object.keys(capabilities).length > 0;
    const transport = new SessionTransport((request) => needsStream(request, isAskable || serverSpeaksUp));
    const server = createServer();
    server.onerror = onError;
    const isReady = introduce(server, transport, token);
    const session = { id, person, caller, server, transport, isReady, usedAt: Date.now() };
    this.open.set(id, session);
    this.sweeping ??= setInterval(() => this.sweep(), SWEEP_MS).unref();
    await isReady;
    return session;
  }

  /** Whether there is room for one more, which another one may have to make. */
  private hasRoom(caller: string): boolean {
    if (this.open.size < this.options.maxSessions) return true;
    const session = sessionToRelease([...this.open.values()], caller);
    if (session === null) return false;
    void this.release(session);
    return true;
  }

  /** The calls that wait for an answer of its client go on without, and are answered first. */
  private async release(session: Session): Promise<void> {
    const { transport } = session;
    this.open.delete(session.id);
    this.leaving.add(session);
    transport.giveUpQuestions();
    await Promise.race([transport.answeredAll(), setTimeout(LAST_ANSWERS_MS, undefined, { ref: false })]);
    await this.letGo(session);
  }

  private sweep(): void {
    const now = Date.now();
    for (const session of this.open.values()) {
      const { transport, usedAt } = session;
      const isIdle = transport.pending === 0 && !transport.isListenedTo;
      if (isIdle && now - usedAt >= IDLE_MS) void this.letGo(session);
    }
  }

  private async letGo(session: Session): Promise<void> {
    this.leaving.delete(session);
    // One that made room may be there again, made anew.
    if (this.open.get(session.id) === session) this.open.delete(session.id);
    if (this.open.size === 0 && this.sweeping !== null) {
      clearInterval(this.sweeping);
      this.sweeping = null;
    }
    await session.server.close().catch(this.options.onError);
  }
}

/** Tells the server what its client has said of itself when the session began. */
async function introduce(
  server: Server,
  transport: SessionTransport,
  { revision: protocolVersion, capabilities }: SessionToken,
): Promise<void> {
  const clientInfo = { name: 'unknown', version: '0' };
  await server.connect(transport);
  await transport.seed('initialize', { protocolVersion, capabilities, clientInfo });
}

/** Of all that a client says it can do, what it can be asked for. */
function asked({ elicitation, sampling, roots }: ClientCapabilities): ClientCapabilities {
  return {
    ...(elicitation === undefined ? {} : { elicitation: modes(elicitation) }),
    ...(sampling === undefined ? {} : { sampling: {} }),
    ...(roots === undefined ? {} : { roots: {} }),
  };
}

/** A client that names no mode has the one that there was before there were two. */
function modes({ form, url }: NonNullable<ClientCapabilities['elicitation']>) {
  if (form === undefined && url === undefined) return { form: {} };
  return { ...(form === undefined ? {} : { form: {} }), ...(url === undefined ? {} : { url: {} }) };
}

function needsStream({ method, params }: JSONRPCRequest, mayBeAsked: boolean): boolean {
  if (method !== 'tools/call') return false;
  return mayBeAsked || params?._meta?.progressToken !== undefined;
}
