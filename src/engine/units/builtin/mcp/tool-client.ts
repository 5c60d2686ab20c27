import {
  Client,
  ProtocolError,
  ProtocolErrorCode,
  StreamableHTTPClientTransport,
  isInputRequiredResult,
  type JSONRPCMessage,
  type jsonSchemaValidator,
  type PriorDiscovery,
} from '@modelcontextprotocol/client';
import type { JsonObject } from '../../../core/json.js';
import type { ExecuteOptions, UnitOutcome, UnitRequest } from '../../../ports/unit-executor.js';
import { failedOutcome, type Quote } from '../../outcome.js';
import type { ResponseContext } from '../../http/interpret-response.js';
import { whenAborted } from '../../http/transport/attempt-end.js';
import { responseYielder } from '../../http/yielders.js';
import { AttemptHttp } from './attempt-http.js';
import type { McpConnections } from './mcp-connections.js';
import { outcomeOfTool, type ToolResult } from './tool-outcome.js';
import { addressOf, headersOf, type ToolSettings } from './tool-settings.js';

const CLIENT = { name: 'flowgate', version: '1' };

/** The longest that a timer can wait: only the end of the attempt ends a call. */
const NEVER_MS = 2_147_483_647;

/** A server's description of itself is kept between calls only up to this length, in UTF-16 code units as JSON. */
const MAX_KEPT_CHARS = 16_384;

/** The methods by which a server asks its caller for input. */
const QUESTIONS: ReadonlySet<string> = new Set(['elicitation/create', 'sampling/createMessage']);

/** The errors that a server reports before it has looked at the tool. */
const BEFORE_THE_TOOL: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601, -32_020, -32_021, -32_022]);

/** Marks the error that we report when a server's stream ended without a response. */
const STREAM_ENDED = Object.freeze({ isStreamEnded: true });

/** A server's schemas are not applied: one of its patterns could run forever on its own result. */
const NOTHING_VALIDATED: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

/** How one attempt ended; `ofTool`: the tool itself determined that. */
interface Ended {
  readonly outcome: UnitOutcome;
  readonly ofTool: boolean;
}

/**
 * Calls one tool of one server with the official client.
 *
 * 1. Each attempt has a client of its own, and leaves nothing behind: neither a session nor a stream nor a timer.
 * 2. Only the protocol revision that the server speaks is kept. A call that is refused under a kept revision determines it
 *    again.
 */
export class ToolClient {
  #prior: PriorDiscovery | undefined;

  constructor(
    private readonly settings: ToolSettings,
    private readonly context: ResponseContext,
    private readonly connections: McpConnections,
  ) {}

  async call(args: JsonObject, request: UnitRequest, options: ExecuteOptions): Promise<UnitOutcome> {
    const prior = this.#prior;
    const { outcome, ofTool } = await this.#attempt(args, request, options);
    const isRefused = outcome.kind === 'failed' && outcome.outcome === 'refused' && !ofTool;
    if (outcome.kind === 'failed' && !ofTool) this.#prior = undefined;
    if (prior === undefined || !isRefused) return outcome;
    // Nothing was done: the server may no longer speak the kept revision.
    return (await this.#attempt(args, request, options)).outcome;
  }

  async #attempt(args: JsonObject, { context }: UnitRequest, options: ExecuteOptions): Promise<Ended> {
    const { tool } = this.settings;
    const headers = headersOf(this.settings, context, options);
    const ended = new AbortController();
    const { largeResponses } = this.connections;
    const http = new AttemptHttp({
      agent: this.connections.agentOf(context.namespace),
      largeResponses,
      context: this.context,
      holder: options,
      abandon: () => ended.abort(),
    });
    const transport = new ToolTransport(addressOf(this.settings), http, headers.ofAll);
    const client = new Client(CLIENT, {
      versionNegotiation: { mode: 'auto' },
      jsonSchemaValidator: NOTHING_VALIDATED,
    });
    let question: string | null = null;
    client.fallbackRequestHandler = async ({ method }) => {
      if (QUESTIONS.has(method)) {
        question = method;
        ended.abort();
      }
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Nobody is asked during a run');
    };
    const whenEnded = new Promise<never>((_resolve, reject) => {
      ended.signal.addEventListener('abort', () => reject(new Error('the attempt is over')));
    });
    whenEnded.catch(() => undefined);
    const stopsListening = whenAborted(options, () => ended.abort());
    let handshake = Promise.resolve();
    try {
      // The client would begin even though the attempt is over.
      ended.signal.throwIfAborted();
      const known = this.#prior === undefined ? {} : { prior: this.#prior };
      handshake = client.connect(transport, { timeout: NEVER_MS, ...known });
      await Promise.race([handshake, whenEnded]);
      this.#prior ??= priorOf(client);
      const result: unknown = await client.callTool(
        { name: tool, arguments: args },
        { timeout: NEVER_MS, signal: ended.signal, headers: headers.ofCall, allowInputRequired: true },
      );
      if (isInputRequiredResult(result)) {
        http.received.drop();
        return { outcome: this.#inputRequired(methodsOf(result)), ofTool: true };
      }
      http.received.complete();
      if (http.received.isLarge) await responseYielder.next();
      const said = { ...(result as ToolResult), ...http.incoming.said };
      return { outcome: outcomeOfTool(tool, said, this.context.quote), ofTool: true };
    } catch (error) {
      http.received.drop();
      if (!isConnected(client)) http.beginNothing();
      if (question !== null) return { outcome: this.#inputRequired(question), ofTool: true };
      return { outcome: this.#failed(error, http.failure), ofTool: false };
    } finally {
      stopsListening?.();
      this.connections.leave(client, transport, handshake);
    }
  }

  #failed(error: unknown, failure: UnitOutcome | null): UnitOutcome {
    if (!(error instanceof ProtocolError)) return failure ?? unreadable(error, this.context.quote);
    const { code, data, message } = error;
    if (data === STREAM_ENDED) {
      const reason = 'network error: the stream of the server ended without an answer';
      return failure ?? failedOutcome(reason, { retryable: true, outcome: 'unknown' });
    }
    if (isQuestion(code)) return this.#inputRequired(`error ${code}`);
    const said = this.context.quote(`the server answered with error ${code}: ${message}`);
    return failedOutcome(said, {
      // An internal error is treated as a server's 500: the others say that the call itself is wrong.
      retryable: code === Number(ProtocolErrorCode.InternalError),
      outcome: BEFORE_THE_TOOL.has(code) ? 'refused' : 'unknown',
    });
  }

  #inputRequired(what: string): UnitOutcome {
    const { tool } = this.settings;
    const error = this.context.quote(
      `the tool ${tool} asks for input (${what}), and during a run nobody gives it any: call a tool that needs none, or ask by a builtin.approval before it`,
    );
    return failedOutcome(error, { retryable: false, outcome: 'unknown' });
  }
}

/** Whether the client knows yet which revision the server speaks. */
function isConnected(client: Client): boolean {
  return client.getNegotiatedProtocolVersion() !== undefined;
}

/**
 * Announces that the response of each request is awaited, and reports the end of a stream without a response as an error
 * response: the client itself would wait forever.
 */
class ToolTransport extends StreamableHTTPClientTransport {
  constructor(
    address: URL,
    private readonly http: AttemptHttp,
    headers: Readonly<Record<string, string>>,
  ) {
    super(address, { fetch: http.fetch, requestInit: { headers } });
  }

  override send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    if (Array.isArray(message) || !('method' in message) || !('id' in message))
      return super.send(message, options);
    const { id } = message;
    this.http.incoming.awaitResponse(id);
    const onRequestStreamEnd = (): void => {
      const error = { code: ProtocolErrorCode.InternalError, message: 'no answer', data: STREAM_ENDED };
      this.onmessage?.({ jsonrpc: '2.0', id, error });
    };
    return super.send(message, { ...options, onRequestStreamEnd });
  }
}

type SendOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

/** Returns what the next call need not ask the server again. */
function priorOf(client: Client): PriorDiscovery | undefined {
  if (client.getProtocolEra() === 'legacy') return { kind: 'legacy' };
  const found = client.getDiscoverResult();
  if (found === undefined) return undefined;
  const { instructions: _text, ...discover } = found;
  return JSON.stringify(discover).length > MAX_KEPT_CHARS ? undefined : { kind: 'modern', discover };
}

/** With these errors a server says that the client lacks the capability to be asked, or sends the question to a URL. */
function isQuestion(code: number): boolean {
  return [ProtocolErrorCode.MissingRequiredClientCapability, ProtocolErrorCode.UrlElicitationRequired]
    .map(Number)
    .includes(code);
}

function methodsOf(result: { readonly inputRequests?: object | undefined }): string {
  const methods = Object.values(result.inputRequests ?? {}).map((question: { readonly method?: unknown }) =>
    String(question.method),
  );
  return [...new Set(methods)].join(', ') || 'input_required';
}

function unreadable(error: unknown, quote: Quote): UnitOutcome {
  const said = error instanceof Error ? error.message : String(error);
  return failedOutcome(quote(`the server does not answer as one of MCP: ${said}`), {
    retryable: false,
    outcome: 'unknown',
  });
}
