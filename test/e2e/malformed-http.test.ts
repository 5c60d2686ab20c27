import { answerOn, open, sendRaw } from '../support/raw-request.js';
import { startService, type Service } from '../support/service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const send = (text: string) => sendRaw(service.url, text);
const HEAD = 'HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n';

describe('a request that is not HTTP, or not as we accept it', () => {
  it.each([
    ['garbage', 'what is this\r\n\r\n', 400],
    ['an unknown method', `BREW /health ${HEAD}\r\n`, 400],
    ['two lengths', `POST /mcp ${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400],
    [
      'a length and chunks',
      `POST /mcp ${HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
      400,
    ],
    ['a broken chunk', `POST /mcp ${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
    ['headers of 40 KB', `GET /health ${HEAD}X: ${'a'.repeat(40_000)}\r\n\r\n`, 431],
    ['20,000 headers', `GET /health ${HEAD}${'a:\r\n'.repeat(20_000)}\r\n`, 431],
    ['an address of 20 KB', `GET /health?${'a'.repeat(20_000)} ${HEAD}\r\n`, 431],
    ['no Host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['no Host in HTTP/1.0', 'GET /health HTTP/1.0\r\n\r\n', 403],
    ['an empty Host', 'GET /health HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n', 403],
    ['two Hosts', `GET /health ${HEAD}Host: evil.test\r\n\r\n`, 400],
    ['twice the same Host', `GET /health ${HEAD}host: localhost\r\n\r\n`, 400],
    ['another host in its first line', `GET http://evil.test/health ${HEAD}\r\n`, 400],
    ['our host after a name in its first line', `GET http://localhost@evil.test/health ${HEAD}\r\n`, 400],
    ['something to expect', `POST /mcp ${HEAD}Expect: a miracle\r\nContent-Length: 2\r\n\r\n{}`, 417],
    ['CONNECT', `CONNECT localhost:80 ${HEAD}\r\n`, 405],
  ])('%s is answered with a JSON error', async (_what, text, status) => {
    const { head, body } = await send(text);
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(head).toMatch(/content-type: application\/json/i);
    expect(body).toEqual({
      error: expect.any(String),
      code: expect.any(String),
    });
  });
});

it('a second Host is detected after any number of headers', async () => {
  const { status, body } = await send(`GET /health ${HEAD}${'a:\r\n'.repeat(3_000)}Host: evil.test\r\n\r\n`);
  expect([status, body.error]).toEqual([400, expect.stringContaining('more than one Host')]);
});

describe('the whole address in the first line', () => {
  it.each([
    'GET http://localhost/health',
    'GET HTTP://LOCALHOST/health?x',
    'GET http://ann@localhost/health',
  ])('%s is served where the Host is the same', async (line) => {
    expect((await send(`${line} ${HEAD}\r\n`)).status).toBe(200);
  });
});

describe('a request that is refused before its body', () => {
  const refused = (headers: string) => `POST /mcp ${HEAD}Sec-Fetch-Site: cross-site\r\n${headers}\r\n`;

  it('is answered before it has sent it, and the connection ends', async () => {
    const socket = await open(service.url);
    const answer = answerOn(socket);
    socket.write(refused('Content-Length: 500000000\r\n'));
    const sent = await new Promise<number>((resolve) => {
      let bytes = 0;
      const block = Buffer.alloc(1024 * 1024);
      const more = (): void => {
        bytes += block.length;
        socket.write(block, (error) => (error ? resolve(bytes) : more()));
      };
      socket.on('error', () => resolve(bytes));
      socket.once('data', more);
    });
    expect(sent).toBeLessThan(100_000_000);
    expect(await answer).toMatchObject({ status: 403, body: { code: 'foreign-page' } });
  });

  it('is not told to continue when it asks first', async () => {
    const answer = await send(refused('Content-Length: 500000000\r\nExpect: 100-continue\r\n'));
    expect(answer.text).toMatch(/^HTTP\/1\.1 403/);
    expect(answer.head).toMatch(/connection: close/i);
  });

  it('keeps the connection where the body is small', async () => {
    const { text } = await send(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\nContent-Length: 2\r\n\r\n{}GET /health ${HEAD}\r\n`,
    );
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 403', 'HTTP/1.1 200']);
  });
});

it('a request that asks first is told to continue', async () => {
  const socket = await open(service.url);
  const answer = answerOn(socket);
  socket.write(`POST /mcp ${HEAD}Content-Length: 30\r\nExpect: 100-continue\r\n\r\n`);
  socket.once('data', () => socket.write('{"id":1,"method":"initialize"}'));
  expect((await answer).text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
});
