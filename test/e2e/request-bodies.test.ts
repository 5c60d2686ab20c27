import { connect } from 'node:net';
import { once } from 'node:events';
import { startService, type Service } from '../support/service.js';
import { document, mock } from '../support/workflow-documents.js';

const LIMIT = 8 * 1024 * 1024;

let service: Service;
beforeAll(async () => {
  service = await startService();
  await service.register(document('plain', [mock('a')]));
});
afterAll(() => service.close());

const start = (body?: unknown, headers?: Record<string, string>) =>
  service.post('/workflows/plain/runs', body, headers);

describe('a body', () => {
  it.each(['multipart/form-data', 'nonsense'])(
    'is read as JSON when its content type is %s',
    async (type) => {
      const { body } = await start({ input: { x: 1 }, sync: true }, { 'content-type': type });
      expect(body.result.state.x).toBe(1);
      expect((await start('', { 'content-type': type })).status).toBe(202);
      expect((await start('nonsense', { 'content-type': type })).status).toBe(400);
    },
  );

  it('is refused before it is parsed when it holds too many keys or values, over HTTP and MCP', async () => {
    const list = Array.from({ length: 501_001 }, () => 1);
    const keys = Object.fromEntries(list.slice(0, 51_001).map((_, key) => [`k${key}`, 1]));
    const levels = `{"id":7,"input":${'['.repeat(600_000)}${']'.repeat(600_000)}}`;
    for (const [body, excess] of [
      [{ input: { list } }, 'values: split it'],
      [{ input: { keys } }, 'keys: split it'],
      [levels, 'values: split it'],
    ] as const) {
      const { status, body: said } = await start(body);
      expect([status, said.error]).toEqual([400, expect.stringMatching(`^The body .*${excess}`)]);
      const rpc = await service.post('/mcp', body);
      expect([rpc.status, rpc.body.id]).toEqual([200, body === levels ? 7 : null]);
      expect([rpc.status, rpc.body.error]).toEqual([200, { code: -32600, message: said.error }]);
    }
    const taken = await start({ input: { list: list.slice(0, 400_000) }, sync: true });
    expect(taken.body.status).toBe('completed');
    const atTop = Object.fromEntries(Object.entries(keys).slice(0, 10_001));
    const refused = await start({ input: atTop });
    expect([refused.status, refused.body.error]).toEqual([
      400,
      expect.stringContaining('under a single key'),
    ]);
  });

  it('may come in pieces, without a length, cut within a character', async () => {
    const bytes = Buffer.from('{"input":{"k":"é鍵"},"sync":true}');
    const { port } = new URL(service.url);
    const socket = connect(Number(port), '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.write(
      'POST /workflows/plain/runs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    for (const byte of bytes) {
      socket.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]));
    }
    socket.write('0\r\n\r\n');
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 202/);
    expect(text).toContain('é鍵');
  });
});

describe('a body that is not JSON', () => {
  it.each([
    ['a single quote', "{'sync':true}"],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
    ['compressed bytes', Buffer.from('1f8b0800000000000003', 'hex')],
  ])('%s: 400 in our form', async (_name, body) => {
    const answer = await start(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: expect.stringContaining('not JSON'), code: 'malformed-json' });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });
});

describe('a body that is too large', () => {
  const filler = (bytes: number) => `{"x":"${'a'.repeat(bytes - 8)}"}`;

  it('leaves the service as it was', async () => {
    await Promise.all([start(filler(LIMIT * 3)), start(filler(LIMIT * 2))]);
    expect((await service.get('/health')).status).toBe(200);
  });

  it('is what the setting says', async () => {
    const small = await startService({ FLOWGATE_MAX_BODY_BYTES: '2000' });
    try {
      const answers = await Promise.all([
        small.post('/workflows/from-yaml', filler(2_000)),
        small.post('/workflows/from-yaml', filler(2_001)),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([400, 413]);
    } finally {
      await small.close();
    }
  });
});

it('a client that disconnects within its body affects nobody', async () => {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(
    'POST /workflows/plain/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"sync"',
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  socket.destroy();
  await once(socket, 'close');
  expect((await service.get('/health')).status).toBe(200);
});
