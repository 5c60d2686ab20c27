// Clients of event streams, in a process of their own: of the addresses in ONLOOKERS_URLS one after the other, ONLOOKERS of
// them, of which ONLOOKERS_DEAF never read anything. Listens on PORT once all are connected, and answers how many bytes came.
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';

const urls = (process.env['ONLOOKERS_URLS'] ?? '').split(' ').map((url) => new URL(url));
const count = Number(process.env['ONLOOKERS']);
const deaf = Number(process.env['ONLOOKERS_DEAF']);

let bytes = 0;
const sockets = await Promise.all(Array.from({ length: count }, (_, index) => open(index)));

createServer((_request, response) => response.end(String(bytes))).listen(
  Number(process.env['PORT']),
  '127.0.0.1',
);
process.on('SIGTERM', () => {
  for (const socket of sockets) socket.destroy();
  process.exit(0);
});

function open(index: number): Promise<Socket> {
  const { hostname, port, pathname, host } = urls[index % urls.length] as URL;
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\n\r\n`);
      if (index < deaf) {
        socket.pause();
        resolve(socket);
        return;
      }
      socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
      // With its first bytes it is open.
      socket.once('data', () => resolve(socket));
    });
  });
}
