import { connect } from 'node:net';
import { startService, type Service } from '../support/service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** Sends bytes as they are, and gives all that comes back. */
function send(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('a request that is not HTTP', () => {
  it.each([
    ['garbage', 'what is this\r\n\r\n', 400],
    ['an unknown method', 'BREW /health HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['two lengths', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}', 400],
    ['headers of 40 KB', `GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`, 431],
  ])('%s is answered with a JSON error', async (_what, text, status) => {
    const [head, body] = (await send(text)).split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(JSON.parse(body!)).toEqual({ error: expect.any(String) });
  });
});
