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
import type { ExecuteOptions, UnitAnswer, UnitRequest } from '../../../ports/unit-executor.js';
import { failedAnswer, type Quote } from '../../answer.js';
import type { ResponseContext } from '../../http/interpret-response.js';
import { whenAborted } from '../../http/transport/attempt-end.js';
import { yieldToOthers } from '../../http/yield-to-others.js';
import { AttemptHttp } from './attempt-http.js';
import type { McpConnections } from './mcp-connections.js';
import { answerOfTool, type ToolResult } from './tool-answer.js';
import { addressOf, headersOf, type ToolSettings } from './tool-settings.js';

const CLIENT = { name: 'flowgate', version: '1' };

/** The longest that a timer can wait: the attempt's end ends a call, nothing else. */
const NEVER_MS = 2_147_483_647;

/** Of what a server says of itself, in UTF-16 code units as JSON: more is not kept between calls. */
const MAX_KEPT_CHARS = 16_384;

/** Methods by which a server asks whoever calls it. */
const QUESTIONS: ReadonlySet<string> = new Set(['elicitation/create', 'sampling/createMessage']);

/** Said before a server has looked at the tool. */
const BEFORE_THE_TOOL: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601, -32_020, -32_021, -32_022]);

/** What we say in the place of a server whose stream ended without an answer. */
const STREAM_ENDED = Object.freeze({ isStreamEnded: true });

/** The schemas of a server are its own affair: one of its patterns could take for ever on its own answer. */
const NOTHING_VALIDATED: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

/** How one attempt ended; `ofTool`: by the word of the tool itself. */
interface Ended {
  readonly answer: UnitAnswer;
  readonly ofTool: boolean;
}

/**
 * Calls one tool of one server with the official client.
 *
 * 1. Each attempt has a client of its own, and leaves nothing behind: neither a session nor a stream nor a timer.
 * 2. What is kept is which revision the server speaks. A call that is refused with that in mind finds it out again.
 */
export class ToolClient {
  #prior: PriorDiscovery | undefined;

  constructor(
    private readonly settings: ToolSettings,
    private readonly context: ResponseContext,
    private readonly connections: McpConnections,
  ) {}

  async call(args: JsonObject, request: UnitRequest, options: ExecuteOptions): Promise<UnitAnswer> {
    const prior = this.#prior;
    const { answer, ofTool } = await this.#attempt(args, request, options);
    const isRefused = answer.kind === 'failed' && answer.outcome === 'refused' && !ofTool;
    if (answer.kind === 'failed' && !ofTool) this.#prior = undefined;
    if (prior === undefined || !isRefused) return answer;
    // Nothing was done: it may have been spoken to in a revision that it speaks no more.
    return (await this.#attempt(args, request, options)).answer;
  }

  async #attempt(args: JsonObject, { context }: UnitRequest, options: ExecuteOptions): Promise<Ended> {
    const { tool } = this.settings;
    const headers = headersOf(this.settings, context, options);
    const ended = new AbortController();
    const { agent, largeAnswers } = this.connections;
    const http = new AttemptHttp({
      agent,
      largeAnswers,
      context: this.context,
      holder: options,
      hopeless: () => ended.abort(),
    });
    const transport = new ToolTransport(addressOf(this.settings), http, headers.ofAll);
    const client = new Client(CLIENT, {
      versionNegotiation: { mode: 'auto' },
      jsonSchemaValidator: NOTHING_VALIDATED,
    });
    let asked: string | null = null;
    client.fallbackRequestHandler = async ({ method }) => {
      if (QUESTIONS.has(method)) {
        asked = method;
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
      // The client would begin all the same.
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
        return { answer: this.#asksForInput(methodsOf(result)), ofTool: true };
      }
      http.received.complete();
      if (http.received.isLarge) await yieldToOthers();
      const said = { ...(result as ToolResult), ...http.incoming.said };
      return { answer: answerOfTool(tool, said, this.context.quote), ofTool: true };
    } catch (error) {
      http.received.drop();
      if (!isConnected(client)) http.beginNothing();
      if (asked !== null) return { answer: this.#asksForInput(asked), ofTool: true };
      return { answer: this.#failed(error, http.failure), ofTool: false };
    } finally {
      stopsListening?.();
      this.connections.leave(client, transport, handshake);
    }
  }

  #failed(error: unknown, failure: UnitAnswer | null): UnitAnswer {
    if (!(error instanceof ProtocolError)) return failure ?? unreadable(error, this.context.quote);
    const { code, data, message } = error;
    if (data === STREAM_ENDED) {
      const reason = 'network error: the stream of the server ended without an answer';
      return failure ?? failedAnswer(reason, { retryable: true, outcome: 'unknown' });
    }
    if (isQuestion(code)) return this.#asksForInput(`error ${code}`);
    const said = this.context.quote(`the server answered with error ${code}: ${message}`);
    return failedAnswer(said, {
      // As a server's 500: the others say that the call itself is wrong.
      retryable: code === Number(ProtocolErrorCode.InternalError),
      outcome: BEFORE_THE_TOOL.has(code) ? 'refused' : 'unknown',
    });
  }

  #asksForInput(what: string): UnitAnswer {
    const { tool } = this.settings;
    const error = this.context.quote(
      `the tool ${tool} asks for input (${what}), and during a run nobody gives it any: call a tool that needs none, or ask by a builtin.approval before it`,
    );
    return failedAnswer(error, { retryable: false, outcome: 'unknown' });
  }
}

/** Whether it knows by now which revision the server speaks. */
function isConnected(client: Client): boolean {
  return client.getNegotiatedProtocolVersion() !== undefined;
}

/**
 * Says of each request that its response is awaited, and tells the end of a stream without an answer as one: the client
 * itself would wait for ever.
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

/** What the next call need not ask the server again. */
function priorOf(client: Client): PriorDiscovery | undefined {
  if (client.getProtocolEra() === 'legacy') return { kind: 'legacy' };
  const found = client.getDiscoverResult();
  if (found === undefined) return undefined;
  const { instructions: _text, ...discover } = found;
  return JSON.stringify(discover).length > MAX_KEPT_CHARS ? undefined : { kind: 'modern', discover };
}

/** A client without the capability is told so, or is sent elsewhere with the question. */
function isQuestion(code: number): boolean {
  return [ProtocolErrorCode.MissingRequiredClientCapability, ProtocolErrorCode.UrlElicitationRequired]
    .map(Number)
    .includes(code);
}

function methodsOf(result: { readonly inputRequests?: object | undefined }): string {
  const methods = Object.values(result.inputRequests ?? {}).map((asked: { readonly method?: unknown }) =>
    String(asked.method),
  );
  return [...new Set(methods)].join(', ') || 'input_required';
}

function unreadable(error: unknown, quote: Quote): UnitAnswer {
  const said = error instanceof Error ? error.message : String(error);
  return failedAnswer(quote(`the server does not answer as one of MCP: ${said}`), {
    retryable: false,
    outcome: 'unknown',
  });
}
