import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One call as it arrived. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  /** Lower-case names, as Node joins them. */
  readonly headers: IncomingMessage['headers'];
  /** Name, value, name, value, as sent. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** What the server says; `body` that is neither a string nor a Buffer is sent as JSON. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
}

/** A reply, or full control over the response (drop it, stall it, send it in pieces). */
export type Behaviour = (
  request: ReceivedRequest,
  response: ServerResponse,
) => Reply | void | Promise<Reply | void>;

/** A real remote unit for tests, on a free port of 127.0.0.1. */
export interface UnitServer {
  /** `http://127.0.0.1:<port>`, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  readonly requests: readonly ReceivedRequest[];
  /** Connections that are open now. */
  readonly openConnections: number;
  /** Connections ever accepted. */
  readonly acceptedConnections: number;
  /** How it answers now. */
  readonly behaviour: Behaviour;
  /** From now on. */
  answer(behaviour: Behaviour | Reply): void;
  /** Resolves when that many requests have arrived. */
  received(count: number): Promise<void>;
  /** Resolves when no connection is open. */
  disconnected(): Promise<void>;
  close(): Promise<void>;
}

/** Starts one; without a behaviour it answers 200 with an empty body. */
export async function startUnitServer(first: Behaviour | Reply = {}): Promise<UnitServer> {
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<unknown>();
  const changes = new EventTarget();
  const changed = (): boolean => changes.dispatchEvent(new Event('change'));
  let accepted = 0;
  let behaviour = asBehaviour(first);

  const server = createServer((request, response) => {
    void (async () => {
      const received = await receive(request);
      requests.push(received);
      changed();
      const reply = await behaviour(received, response);
      if (reply) send(response, reply);
    })().catch((error: unknown) => response.destroy(error as Error));
  });
  server.on('connection', (socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      sockets.delete(socket);
      changed();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await once(changes, 'change');
  };

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    get openConnections() {
      return sockets.size;
    },
    get acceptedConnections() {
      return accepted;
    },
    get behaviour() {
      return behaviour;
    },
    answer(next) {
      behaviour = asBehaviour(next);
    },
    received: (count) => until(() => requests.length >= count),
    disconnected: () => until(() => sockets.size === 0),
    async close() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function asBehaviour(behaviour: Behaviour | Reply): Behaviour {
  return typeof behaviour === 'function' ? behaviour : () => behaviour;
}

async function receive(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: Reply): void {
  const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
  response.statusCode = status;
  if (!isRaw) response.setHeader('content-type', 'application/json');
  for (const [name, value] of Object.entries(headers)) {
    response.setHeader(name, typeof value === 'string' ? value : [...value]);
  }
  if (body === undefined) response.end();
  else response.end(isRaw ? body : JSON.stringify(body));
}
