import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolResult,
  type ClientOptions,
  type ElicitRequest,
  type ElicitResult,
} from '@modelcontextprotocol/client';
import type { Answer, Body, Service } from './service.js';

/** Which revision the client speaks; the older ones keep a session. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

/** What the person at a client says when they are asked. */
export type Person = (asked: ElicitRequest['params']) => ElicitResult | Promise<ElicitResult>;

export interface ClientSetup {
  readonly person?: Person;
  readonly headers?: Readonly<Record<string, string>>;
  readonly options?: ClientOptions;
  /** Of a session that continues. */
  readonly sessionId?: string | undefined;
}

/** A client of the official SDK that is connected; whoever starts it closes it. */
export interface McpClient {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  tool(name: string, args?: Readonly<Record<string, unknown>>): Promise<CallToolResult>;
  close(): Promise<void>;
}

export async function connectMcp(
  { url }: Pick<Service, 'url'>,
  revision: Revision,
  { person, headers = {}, options = {}, sessionId }: ClientSetup = {},
): Promise<McpClient> {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } },
      capabilities: person === undefined ? {} : { elicitation: { form: {} } },
      ...options,
    },
  );
  if (person !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }) => person(params));
  }
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers },
    ...(sessionId === undefined ? {} : { sessionId, protocolVersion: revision }),
  });
  await client.connect(transport);
  return {
    client,
    transport,
    tool: (name, args = {}) => client.callTool({ name, arguments: { ...args } }),
    close: () => client.close(),
  };
}

/** What a tool returned as data. */
export function dataOf(result: CallToolResult): Body {
  return result.structuredContent;
}

/** What a tool returned as texts: the answer itself, and what to do next. */
export function textsOf({ content }: CallToolResult): string[] {
  return content.map((part) => (part.type === 'text' ? part.text : ''));
}

const BOTH = 'application/json, text/event-stream';

/** One request of the revisions of 2025, as it goes over the wire. */
export function post2025(
  service: Service,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return service.post('/mcp', body, { accept: BOTH, 'mcp-protocol-version': '2025-11-25', ...headers });
}

/** One request of the revision 2026-07-28, as it goes over the wire. */
export function post2026(
  service: Service,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  { capabilities = {}, headers = {}, id = 1 }: Post2026Options = {},
): Promise<Answer> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const { name, uri } = params;
  const named = name ?? uri;
  return service.post(
    '/mcp',
    { jsonrpc: '2.0', id, method, params: { ...params, _meta } },
    {
      accept: BOTH,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof named === 'string' ? { 'mcp-name': named } : {}),
      ...headers,
    },
  );
}

export interface Post2026Options {
  readonly capabilities?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly id?: number | string;
}

/** What came back: JSON, or the last message of a stream. */
export function messageOf({ body, text }: Answer): Body {
  return body ?? messagesOf(text).at(-1);
}

/** The messages of a stream of server-sent events. */
export function messagesOf(text: string): Body[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)) as Body);
}

/** Introduces a client of 2025, and gives the id of its session. */
export async function beginSession(
  service: Service,
  { capabilities = {}, headers = {} }: Pick<Post2026Options, 'capabilities' | 'headers'> = {},
): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'test', version: '1' } };
  const answer = await post2025(service, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, headers);
  const id = answer.headers['mcp-session-id'];
  if (typeof id !== 'string') throw new Error(`No session: ${answer.status} ${answer.text}`);
  return id;
}
