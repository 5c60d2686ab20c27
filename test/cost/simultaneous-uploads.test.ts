import { once } from 'node:events';
import type { Socket } from 'node:net';
import { answerOn, open, type RawAnswer } from '../support/raw-request.js';
import { eventually } from '../support/eventually.js';
import { startService, type Service } from '../support/service.js';
import { document, mock } from '../support/workflow-documents.js';

const MIB = 1024 * 1024;
const PIECE = Buffer.alloc(900 * 1024, 'a');

let service: Service;
beforeEach(async () => {
  service = await startService({
    FLOWGATE_MAX_BODY_BYTES: String(MIB),
    FLOWGATE_MAX_UPLOAD_BYTES: String(3 * MIB),
  });
  await service.register(document('plain', [mock('a')]));
});
afterEach(() => service.close());

/** Sends most of a body, and then nothing more. */
async function stall(path = '/workflows/plain/runs'): Promise<Socket> {
  const socket = await open(service.url);
  socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${MIB}\r\n\r\n{"input":{"x":"`);
  await new Promise((resolve) => socket.write(PIECE, resolve));
  return socket;
}

const large = () =>
  service.post('/workflows/plain/runs', { input: { x: 'a'.repeat(MIB - 100) }, sync: true });

describe('unfinished uploads beyond the capacity of the service', () => {
  it('give way sequentially, with 503 and when to retry', async () => {
    const sockets: Socket[] = [];
    const answers: RawAnswer[] = [];
    for (let i = 0; i < 10; i++) {
      const socket = await stall();
      sockets.push(socket);
      void answerOn(socket).then((answer) => answers.push(answer));
    }
    await eventually(
      () => Promise.resolve(answers.length),
      (count) => count === 7,
    );
    for (const { status, head, body } of answers) {
      expect(status).toBe(503);
      expect(head).toMatch(/retry-after: \d+/i);
      expect(head).toMatch(/connection: close/i);
      expect(body).toEqual({
        error: expect.stringContaining('FLOWGATE_MAX_UPLOAD_BYTES'),
        code: 'uploads-full',
      });
    }
    for (const socket of sockets) socket.destroy();
  });

  it('block nobody else, neither small requests nor large ones', async () => {
    const sockets = await Promise.all(Array.from({ length: 40 }, () => stall()));
    let gaveWay = 0;
    for (const socket of sockets) void answerOn(socket).then(() => (gaveWay += 1));
    // Until then they are as quick as any other.
    await eventually(
      () => Promise.resolve(gaveWay),
      (count) => count === 37,
    );
    for (let i = 0; i < 3; i++) {
      expect((await large()).body.status).toBe('completed');
      expect((await service.start('plain')).status).toBe('completed');
      sockets.push(await stall());
    }
    for (const socket of sockets) socket.destroy();
  });

  it('are answered at the gateway with an error of JSON-RPC', async () => {
    const first = await stall('/mcp');
    const answer = answerOn(first);
    const others = [];
    for (let i = 0; i < 8; i++) others.push(await stall());
    const { status, body } = await answer;
    expect(status).toBe(200);
    expect(body).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32000, message: expect.any(String) } });
    for (const socket of others) socket.destroy();
  });

  it('use no memory once their callers are gone', async () => {
    for (let round = 0; round < 5; round++) {
      const sockets = [await stall(), await stall(), await stall()];
      for (const socket of sockets) socket.destroy();
      await Promise.all(sockets.map((socket) => once(socket, 'close')));
    }
    const held = [await stall(), await stall()];
    await eventually(large, ({ status }) => status === 202);
    expect(held.map((socket) => socket.destroyed)).toEqual([false, false]);
    for (const socket of held) socket.destroy();
  });
});

it('a body in pieces of one byte uses no more memory than its length', async () => {
  const socket = await open(service.url);
  socket.write(
    'POST /workflows/plain/runs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  const before = process.memoryUsage();
  const pieces = '1\r\na\r\n'.repeat(10_000);
  for (let sent = 0; sent < 400_000; sent += 10_000) {
    await new Promise((resolve) => socket.write(pieces, resolve));
  }
  globalThis.gc?.();
  const after = process.memoryUsage();
  // A list of 400,000 Buffers would be 40 MB and more.
  expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(20 * MIB);
  socket.destroy();
});

it('connections beyond FLOWGATE_MAX_CONNECTIONS are closed, and the others are still served', async () => {
  const narrow = await startService({ FLOWGATE_MAX_CONNECTIONS: '3' });
  const sockets = [await open(narrow.url), await open(narrow.url), await open(narrow.url)];
  const refused = await open(narrow.url);
  await answerOn(refused);
  sockets[0]!.write('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  expect((await answerOn(sockets[0]!)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await eventually(
    () =>
      narrow.get('/health').then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => status === 200,
  );
  await narrow.close();
});
