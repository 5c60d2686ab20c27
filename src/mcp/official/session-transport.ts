import {
  WebStandardStreamableHTTPServerTransport,
  type AuthInfo,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageExtraInfo,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import { isRecord } from '../plain/rpc-request.js';

/** What one HTTP request brings. */
export interface HttpExchange {
  readonly request: Request;
  readonly body: unknown;
  readonly authInfo: AuthInfo;
}

/** Where the answer to a request goes. */
interface Outlet {
  send(message: JSONRPCMessage, options: { readonly relatedRequestId: RequestId }): Promise<void>;
}

const SEED_ID = 'flowgate-seed';

/**
 * The connection of one session of the 2025 revisions: many HTTP requests, each served by a transport of the SDK of its own,
 * so that each is answered as JSON or as a stream, whichever it needs.
 */
export class SessionTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;

  private readonly outlets = new Map<RequestId, Outlet>();
  /** What the client hears without having asked: its GET. */
  private announcements: WebStandardStreamableHTTPServerTransport | null = null;

  /** `mayStream`: whether answering a request may take more than one message. */
  constructor(private readonly mayStream: (request: JSONRPCRequest) => boolean) {}

  /** Requests that are not answered yet. */
  get pending(): number {
    return this.outlets.size;
  }

  get isListenedTo(): boolean {
    return this.announcements !== null;
  }

  async start(): Promise<void> {}

  /** Has the server take a request of our own; resolves when it is answered. */
  seed(method: string, params: Record<string, unknown>): Promise<void> {
    return new Promise((resolve) => {
      this.outlets.set(SEED_ID, { send: () => Promise.resolve(resolve()) });
      this.onmessage?.({ jsonrpc: '2.0', id: SEED_ID, method, params });
    });
  }

  /** A POST; `messages` is what its body holds. */
  async post({ request, body, authInfo }: HttpExchange): Promise<Response> {
    const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
    const requests = messages.filter(isRequest);
    if (requests.some(({ id }) => this.outlets.has(id)))
      return refusal('The id is in use by a request of this session');
    const exchange = this.exchange(!requests.some((one) => this.mayStream(one)));
    exchange.onmessage = (message, extra) => {
      if (isRequest(message)) this.outlets.set(message.id, exchange);
      this.onmessage?.(message, extra);
    };
    return exchange.handleRequest(request, { parsedBody: body, authInfo });
  }

  /** A GET: there is one at a time, the newest. */
  async listen({ request, authInfo }: Omit<HttpExchange, 'body'>): Promise<Response> {
    const stream = this.exchange(false);
    const response = await stream.handleRequest(request, { authInfo });
    if (!response.ok) return response;
    const before = this.announcements;
    this.announcements = stream;
    request.signal.addEventListener('abort', () => this.stopListening(stream), { once: true });
    await before?.close();
    return response;
  }

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    const isAnswer = 'result' in message || 'error' in message;
    const id = isAnswer ? message.id : options.relatedRequestId;
    if (id === undefined) return this.announcements?.send(message);
    const outlet = this.outlets.get(id);
    if (isAnswer) this.outlets.delete(id);
    // Nobody may be left to hear it: a client that has gone does not end what it asked for.
    return outlet?.send(message, { relatedRequestId: id });
  }

  async close(): Promise<void> {
    const { announcements } = this;
    this.announcements = null;
    this.outlets.clear();
    await announcements?.close();
    this.onclose?.();
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

/** By what tells requests from other messages: whether it is well-formed, the SDK looks. */
function isRequest(message: unknown): message is JSONRPCRequest {
  return isRecord(message) && 'method' in message && 'id' in message;
}

function refusal(message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32_600, message } }, { status: 400 });
}
