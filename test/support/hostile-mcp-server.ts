import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of MCP whose path says how badly it answers the call of a tool, or something before that. */
export interface HostileMcpServer {
  readonly url: string;
  close(): Promise<void>;
}

/** How it answers: headers, and a body, or what writes one by itself. */
interface HostileReply {
  readonly status?: number;
  readonly type: 'application/json' | 'text/event-stream';
  readonly body: string | ((response: ServerResponse) => void);
}

type Id = string | number;

const message = (id: Id, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
const json = (body: string): HostileReply => ({ type: 'application/json', body });
const stream = (body: HostileReply['body']): HostileReply => ({ type: 'text/event-stream', body });
const framed = (text: string): HostileReply => stream(`data: ${text}\n\n`);
const listOf = (count: number, item: string): string =>
  `[${Array.from({ length: count }, () => item).join()}]`;
const keys = (count: number): string =>
  `{${Array.from({ length: count }, (_, key) => `"k${key}":1`).join()}}`;
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const OK = '{"content":[{"type":"text","text":"ok"}]}';
const NOTE = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}';

/** All below 10 MiB. `many` is how many of something come where there are `all` of it at the worst. */
const KINDS: Readonly<Record<string, (id: Id, many: (all: number) => number) => HostileReply>> = {
  badframe: (id, many) => framed(message(id, `{"content":${listOf(many(1_200_000), '{"a":1}')}}`)),
  badjson: (id, many) => json(message(id, `{"content":${listOf(many(450_000), '1')}}`)),
  badblocks: (id, many) =>
    framed(message(id, `{"content":${listOf(many(10_000), '{"type":"text","text":1}')}}`)),
  badblock: (id, many) =>
    framed(
      message(
        id,
        `{"content":[{"type":"text","text":"a","annotations":{"audience":${listOf(many(450_000), '1')}}}]}`,
      ),
    ),
  badrest: (id, many) => json(message(id, `{"content":[],"_meta":${keys(many(45_000))}}`)),
  frames: (_id, many) => stream('data: {}\n\n'.repeat(many(1_000_000))),
  notes: (id, many) => stream(`data: ${NOTE}\n\n`.repeat(many(110_000)) + `data: ${message(id, OK)}\n\n`),
  batch: (id, many) => json(`[${`${NOTE},`.repeat(many(110_000))}${message(id, OK)}]`),
  questions: (_id, many) =>
    stream('data: {"jsonrpc":"2.0","id":7,"method":"ping"}\n\n'.repeat(many(200_000))),
  values: (id, many) =>
    framed(message(id, `{"content":[],"structuredContent":{"a":${listOf(many(4_000_000), '1')}}}`)),
  keysframe: (id, many) => framed(message(id, `{"content":[],"structuredContent":${keys(many(700_000))}}`)),
  deepframe: (id, many) =>
    framed(message(id, `{"content":[],"structuredContent":{"a":${nested(many(4_000_000))}}}`)),
  frame: (id, many) =>
    framed(message(id, `{"content":${listOf(many(280_000), '{"type":"text","text":"a"}')}}`)),
  numbers: (id) => framed(message(id, `{"content":[],"structuredContent":{"a":${listOf(490_000, '1')}}}`)),
  blocks: (id) => framed(message(id, `{"content":${listOf(10_000, '{"type":"text","text":"a"}')}}`)),
  oneline: (_id, many) => stream(`data: ${'x'.repeat(many(10_000_000))}`),
  lines: (id, many) => stream(`${':\n'.repeat(many(5_000_000))}data: ${message(id, OK)}\n\n`),
  datalines: (_id, many) => stream(`${'data:\n'.repeat(many(1_700_000))}\n`),
  refusal: (_id, many) => ({
    status: 400,
    type: 'application/json',
    body: `{"a":${nested(many(4_000_000))}}`,
  }),
  redirect: (_id, many) => ({ status: 307, type: 'application/json', body: nested(many(4_000_000)) }),
  drip: () =>
    stream((response) => {
      const timer = setInterval(() => response.write(':'), 1);
      response.once('close', () => clearInterval(timer));
    }),
};

/**
 * `/<kind>` answers a call so, `/initialize/<kind>` and `/discover/<kind>` what comes before. The bodies are made once.
 * `share`: of the worst.
 */
export async function startHostileMcpServer({ share = 1 } = {}): Promise<HostileMcpServer> {
  const made = new Map<string, HostileReply>();
  const replyFor = (kind: string, id: Id): HostileReply => {
    const key = `${kind} ${id}`;
    const reply = made.get(key) ?? KINDS[kind]?.(id, (all) => all * share) ?? json('{}');
    made.set(key, reply);
    return reply;
  };
  const server = createServer((request, response) => {
    response.on('error', () => response.destroy());
    void bodyOf(request).then((body) => answer(request, response, body, replyFor));
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  server.requestTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function answer(
  { url = '/', method }: IncomingMessage,
  response: ServerResponse,
  body: string,
  replyFor: (kind: string, id: Id) => HostileReply,
): void {
  const { id, method: asked } =
    body === '' ? { id: 0, method } : (JSON.parse(body) as { id: Id; method: string });
  const [, first = '', second] = url.split('/');
  const reply =
    asked?.endsWith(second === undefined ? 'tools/call' : first) === true
      ? replyFor(second ?? first, id)
      : honest(id, asked);
  if (reply === null) return void response.writeHead(202).end();
  response.writeHead(reply.status ?? 200, { 'content-type': reply.type });
  if (typeof reply.body === 'string') response.end(reply.body);
  else reply.body(response);
}

/** As a server of 2025 would. */
function honest(id: Id, asked: string | undefined): HostileReply | null {
  if (asked === 'initialize') {
    const about = '"capabilities":{"tools":{}},"serverInfo":{"name":"hostile","version":"1"}';
    return json(message(id, `{"protocolVersion":"2025-11-25",${about}}`));
  }
  if (asked === 'tools/call') return json(message(id, OK));
  if (asked !== 'server/discover') return null;
  return json(
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":-32601,"message":"no such method"}}`,
  );
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
