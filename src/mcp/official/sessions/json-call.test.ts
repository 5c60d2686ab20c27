import {
  isJSONRPCRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
  type JSONRPCMessage,
  type MessageExtraInfo,
} from '@modelcontextprotocol/server';
import type { HttpExchange } from './http-exchange.js';
import { JsonCall, jsonCallOf } from './json-call.js';

const BOTH = 'application/json, text/event-stream';
const HEADERS = [BOTH, 'application/json', 'text/event-stream', '*/*'].flatMap((accept) =>
  ['application/json', 'application/json; charset=utf-8', 'text/plain'].flatMap((type) =>
    [null, '1999-01-01', ...SUPPORTED_PROTOCOL_VERSIONS].map((revision) => ({
      accept,
      'content-type': type,
      ...(revision === null ? {} : { 'mcp-protocol-version': revision }),
    })),
  ),
);
const BODIES: readonly unknown[] = [
  { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', arguments: { a: [1, null] } } },
  { jsonrpc: '2.0', id: 'one', method: 'ping' },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 1, result: {} },
  { jsonrpc: '2.0', id: null, method: 'ping' },
  { jsonrpc: '1.0', id: 1, method: 'ping' },
  { jsonrpc: '2.0', id: 1, method: 'ping', more: true },
  [{ jsonrpc: '2.0', id: 1, method: 'ping' }],
  'ping',
  7,
];

interface Heard {
  readonly message: JSONRPCMessage;
  readonly extra: MessageExtraInfo | undefined;
}

interface Served {
  readonly status: number;
  readonly type: string | null;
  readonly body: unknown;
  readonly heard: readonly Heard[];
}

const authInfo: HttpExchange['authInfo'] = { token: '', clientId: '', scopes: [] };
const resultOf = (message: JSONRPCMessage): JSONRPCMessage | null =>
  isJSONRPCRequest(message) ? { jsonrpc: '2.0', id: message.id, result: { ok: true } } : null;

async function servedBySdk(request: Request, body: unknown): Promise<Served> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const heard: Heard[] = [];
  transport.onmessage = (message, extra) => {
    heard.push({ message, extra });
    const result = resultOf(message);
    if (result !== null) void transport.send(result);
  };
  const response = await transport.handleRequest(request, { parsedBody: body, authInfo });
  const text = await response.text();
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: text === '' ? null : JSON.parse(text),
    heard,
  };
}

describe('a call that is answered with one JSON message', () => {
  it.each(BODIES.map((body) => ({ text: JSON.stringify(body), body })))(
    'is served as by the transport of the SDK, or left to that: $text',
    async ({ body }) => {
      for (const headers of HEADERS) {
        const request = new Request('http://flowgate.invalid/mcp', { method: 'POST', headers });
        const taken = jsonCallOf({ request, body } as HttpExchange);
        if (taken === null) continue;
        const call = new JsonCall(taken);
        const heard: Heard[] = [];
        call.onmessage = (message, extra) => {
          heard.push({ message, extra });
          const result = resultOf(message);
          if (result !== null) void call.send(result);
        };
        const { message } = await call.handleRequest(request, { authInfo });
        const served: Served = { status: 200, type: 'application/json', body: message, heard };
        expect(served).toEqual(await servedBySdk(request, body));
      }
    },
  );

  it('is taken for what nearly all clients send', () => {
    const headers = { accept: BOTH, 'content-type': 'application/json' };
    const request = new Request('http://flowgate.invalid/mcp', { method: 'POST', headers });
    for (const body of BODIES.slice(0, 2)) expect(jsonCallOf({ request, body } as HttpExchange)).toBe(body);
  });
});
