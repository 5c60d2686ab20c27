import {
  WebStandardStreamableHTTPServerTransport,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  type MessageExtraInfo,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import { INVALID_REQUEST, isRecord, UNAVAILABLE } from '../../json-rpc.js';
import { faultResponse, type HttpResponse, type HttpExchange } from './http-exchange.js';
import { JsonCall, jsonCallOf } from './json-call.js';

/** Where the response to a request goes. */
interface Outlet {
  send(message: JSONRPCMessage, options: { readonly relatedRequestId: RequestId }): Promise<void>;
  /** Its client no longer waits for the response. */
  giveUp?(id: RequestId): Promise<void>;
}

type JsonRpcResponse = JSONRPCErrorResponse | JSONRPCResultResponse;

/** A request of the server to its client. */
interface Question {
  /** The client's request that waits for the answer. */
  readonly during: RequestId | undefined;
  /** Epoch ms. */
  readonly askedAt: number;
}

const SEED_ID = 'flowgate-seed';
const GONE = 'The session has gone: initialize again';
const GIVEN_UP = 'The question gave its place up to another client: decide by respond_hitl';

/**
 * The connection of one session of the 2025 revisions. Each of its HTTP requests is served by an SDK transport of its
 * own, so that the response is JSON or a stream, as required.
 */
export class SessionTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;

  private readonly outlets = new Map<RequestId, Outlet>();
  /** The questions by the id that the server knows, the oldest first. */
  private readonly questions = new Map<RequestId, Question>();
  /** Callbacks that wait for the last response. */
  private readonly idle: (() => void)[] = [];
  /** The stream of the client's GET, for messages that it has not requested. */
  private announcements: WebStandardStreamableHTTPServerTransport | null = null;
  private isClosed = false;

  /**
   * The prefix of the ids of the server's requests. They begin at 0 with every server: an answer to an earlier server
   * of this session, which was closed since, must not be taken for an answer to this one.
   */
  private readonly askedBy = crypto.randomUUID().slice(0, 8);

  /** `mayStream`: whether answering a request may take more than one message. */
  constructor(private readonly mayStream: (request: JSONRPCRequest) => boolean) {}

  /** How many requests have no response yet. */
  get pending(): number {
    return this.outlets.size;
  }

  get isListenedTo(): boolean {
    return this.announcements !== null;
  }

  /** Epoch ms of the oldest question, if every pending request waits for an answer of the client; otherwise null. */
  get asksSince(): number | null {
    const [oldest] = this.questions.values();
    if (oldest === undefined) return null;
    const asking = new Set(Array.from(this.questions.values(), ({ during }) => during));
    for (const id of this.outlets.keys()) if (!asking.has(id)) return null;
    return oldest.askedAt;
  }

  /** Fails the questions as if their time had run out, so that what waits for them continues without an answer. */
  giveUpQuestions(): void {
    for (const [id, { during }] of this.questions) {
      const params = { requestId: id, reason: GIVEN_UP };
      const sent = { jsonrpc: '2.0' as const, method: 'notifications/cancelled', params };
      void this.send(sent, during === undefined ? {} : { relatedRequestId: during });
      this.onmessage?.({ jsonrpc: '2.0', id, error: { code: UNAVAILABLE, message: GIVEN_UP } });
    }
  }

  /** Resolves once every request has a response. */
  async answeredAll(): Promise<void> {
    if (this.outlets.size > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  async start(): Promise<void> {}

  /** Passes a request of our own to the server; resolves when it is answered. */
  seed(method: string, params: Record<string, unknown>): Promise<void> {
    return new Promise((resolve) => {
      this.outlets.set(SEED_ID, { send: () => Promise.resolve(resolve()) });
      this.onmessage?.({ jsonrpc: '2.0', id: SEED_ID, method, params });
    });
  }

  /** Serves a POST; `messages` are those of its body. */
  async post(posted: HttpExchange): Promise<HttpResponse> {
    const { request, body, authInfo } = posted;
    const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
    const requests = messages.filter(isRequest);
    if (requests.some(({ id }) => this.outlets.has(id)))
      return faultResponse(400, INVALID_REQUEST, 'The id is in use by a request of this session');
    if (this.isOver(request)) return faultResponse(400, INVALID_REQUEST, GONE);
    const isJson = !requests.some((one) => this.mayStream(one));
    const call = isJson ? jsonCallOf(posted) : null;
    const exchange = call === null ? this.exchange(isJson) : new JsonCall(call);
    const outlet: Outlet = {
      send: (message, options) => exchange.send(message, options),
      // The server sends nothing for a cancelled request, and the SDK's transport would wait forever.
      giveUp: (id) =>
        isJson || exchange instanceof JsonCall
          ? exchange.send(givenUp(id), { relatedRequestId: id })
          : exchange.close(),
    };
    // The response could not be delivered later, so there is no use in waiting for it.
    const { signal } = request;
    const cancelAll = (): void => {
      for (const { id } of requests) if (this.outlets.get(id) === outlet) this.cancel(id);
    };
    signal.addEventListener('abort', cancelAll, { once: true });
    exchange.onmessage = (message, extra) => {
      if (isRequest(message)) this.outlets.set(message.id, outlet);
      const heard = isResponse(message) ? this.asAsked(message) : message;
      if (heard !== null && isResponse(heard)) this.forgetQuestion(heard.id);
      if (heard !== null) this.onmessage?.(heard, extra);
      const cancelled = cancelledBy(message);
      if (cancelled !== null) void this.giveUp(cancelled);
      if (signal.aborted) cancelAll();
    };
    return exchange.handleRequest(request, { parsedBody: body, authInfo });
  }

  /** Serves a GET: there is one at a time, the newest. */
  async listen({ request, authInfo }: Omit<HttpExchange, 'body'>): Promise<Response> {
    if (this.isOver(request)) return faultResponse(400, INVALID_REQUEST, GONE);
    const stream = this.exchange(false);
    const response = await stream.handleRequest(request, { authInfo });
    if (!response.ok) return response;
    const before = this.announcements;
    this.announcements = stream;
    const { signal } = request;
    if (signal.aborted) this.stopListening(stream);
    else signal.addEventListener('abort', () => this.stopListening(stream), { once: true });
    await before?.close();
    return response;
  }

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    const isLast = isResponse(message);
    const id = isLast ? message.id : options.relatedRequestId;
    if (isRequest(message)) this.questions.set(message.id, { during: id, askedAt: Date.now() });
    this.forgetQuestion(cancelledBy(message));
    if (id === undefined) return this.announcements?.send(this.asSent(message));
    const outlet = this.outlets.get(id);
    if (isLast) this.forgetRequest(id);
    // There may be no outlet left: a client that disconnects does not end the run that it requested.
    return outlet?.send(this.asSent(message), { relatedRequestId: id });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const { announcements } = this;
    this.announcements = null;
    // Clients that still wait are notified, in a stream, too.
    const sent = [...this.outlets.keys()].map((id) => this.send(givenUp(id)));
    await Promise.allSettled([announcements?.close(), ...sent]);
    this.onclose?.();
  }

  /**
   * Whether the client or the session went away while the request was on its way here; nothing would end the request
   * then.
   */
  private isOver({ signal }: Request): boolean {
    return signal.aborted || this.isClosed;
  }

  /** Acts as if the client had cancelled the request: that ends the waiting, not the run. */
  private cancel(requestId: RequestId): void {
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    void this.giveUp(requestId);
  }

  private async giveUp(id: RequestId): Promise<void> {
    const outlet = this.outlets.get(id);
    this.forgetRequest(id);
    await outlet?.giveUp?.(id);
  }

  private forgetRequest(id: RequestId): void {
    this.outlets.delete(id);
    for (const [question, { during }] of this.questions) if (during === id) this.questions.delete(question);
    if (this.outlets.size === 0) for (const resolve of this.idle.splice(0)) resolve();
  }

  private forgetQuestion(id: RequestId | null | undefined): void {
    if (id !== null && id !== undefined) this.questions.delete(id);
  }

  private asSent(message: JSONRPCMessage): JSONRPCMessage {
    if (isRequest(message)) return { ...message, id: this.idSent(message.id) };
    const cancelled = cancelledBy(message);
    if (cancelled === null || !('params' in message)) return message;
    return { ...message, params: { ...message.params, requestId: this.idSent(cancelled) } };
  }

  private idSent(id: RequestId): string {
    return `${this.askedBy}-${id}`;
  }

  /** The answer under the id that the server knows; null: it answers something else. */
  private asAsked(response: JsonRpcResponse): JsonRpcResponse | null {
    const prefix = this.idSent('');
    const id = String(response.id);
    const asked = id.slice(prefix.length);
    // `Number` of an empty text is 0.
    return id.startsWith(prefix) && /^\d{1,15}$/.test(asked) ? { ...response, id: Number(asked) } : null;
  }

  private stopListening(stream: WebStandardStreamableHTTPServerTransport): void {
    if (this.announcements === stream) this.announcements = null;
    void stream.close();
  }

  private exchange(enableJsonResponse: boolean): WebStandardStreamableHTTPServerTransport {
    const exchange = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse });
    exchange.onerror = (error) => this.onerror?.(error);
    return exchange;
  }
}

function isResponse(message: JSONRPCMessage): message is JsonRpcResponse {
  return 'result' in message || 'error' in message;
}

/** Distinguishes requests from other messages; the SDK checks whether they are well-formed. */
function isRequest(message: unknown): message is JSONRPCRequest {
  return isRecord(message) && 'method' in message && 'id' in message;
}

/** The id of the request that a message cancels; null for any other message. */
function cancelledBy(message: JSONRPCMessage): RequestId | null {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return null;
  const id = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function givenUp(id: RequestId): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id, error: { code: UNAVAILABLE, message: 'The request was cancelled' } };
}
