import {
  createMcpHandler,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { startUnitServer, type Behaviour, type ReceivedRequest, type UnitServer } from './unit-server.js';
import type { Revision } from './mcp-clients.js';

export interface TestMcpServer {
  /** Where its clients find it. */
  readonly url: string;
  readonly http: UnitServer;
  /** Sessions that were begun and not ended. */
  readonly sessions: ReadonlySet<string>;
  /** The requested JSON-RPC methods, in order; `DELETE` and `GET` as they are. */
  readonly methods: readonly string[];
  /** Resolves when it was asked that often for the method. */
  asked(method: string, times: number): Promise<void>;
  /** From now on requests for that method are answered so, and not by the server. */
  answer(method: string, behaviour: Behaviour): void;
  close(): Promise<void>;
}

export interface TestMcpServerOptions {
  /** Adds the tools to a server. */
  readonly tools: (server: McpServer) => void;
  /** Which revision it speaks, and no other: those of 2025 in sessions. */
  readonly revision: Revision;
}

/** A server of MCP as the official SDK makes them, on a free port of 127.0.0.1. */
export async function startMcpServer({ tools, revision }: TestMcpServerOptions): Promise<TestMcpServer> {
  const makeServer = (): McpServer => {
    const server = new McpServer({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
    tools(server);
    return server;
  };
  const modern = createMcpHandler(makeServer, { legacy: 'reject' });
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

  const serveLegacy = async (request: Request): Promise<Response> => {
    const id = request.headers.get('mcp-session-id');
    const known = id === null ? undefined : sessions.get(id);
    if (known !== undefined) return known.handleRequest(request);
    if (id !== null) return new Response('no session', { status: 404 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (made) => void sessions.set(made, transport),
      onsessionclosed: (ended) => void sessions.delete(ended),
    });
    await makeServer().connect(transport);
    return transport.handleRequest(request);
  };

  const others = new Map<string, Behaviour>();
  const http = await startUnitServer(async (received, response) => {
    const other = others.get(methodOf(received));
    if (other !== undefined) return other(received, response);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const request = asRequest(received, gone.signal);
    const answer = revision === '2026-07-28' ? await modern.fetch(request) : await serveLegacy(request);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.flushHeaders();
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
    return undefined;
  });
  return {
    url: `${http.url}/mcp`,
    http,
    get sessions() {
      return new Set(sessions.keys());
    },
    get methods() {
      return http.requests.map(methodOf);
    },
    async asked(method, times) {
      const arrived = (): number => http.requests.filter((request) => methodOf(request) === method).length;
      while (arrived() < times) await http.received(http.requests.length + 1);
    },
    answer: (method, behaviour) => void others.set(method, behaviour),
    async close() {
      await http.close();
      await modern.close();
    },
  };
}

function methodOf({ method, body }: ReceivedRequest): string {
  return method === 'POST' ? String(JSON.parse(body).method) : method;
}

function asRequest({ method, url, headers, body }: ReceivedRequest, signal: AbortSignal): Request {
  return new Request(`http://127.0.0.1${url}`, {
    method,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as [string, string]] : [],
    ),
    ...(body === '' ? {} : { body }),
    signal,
  });
}
