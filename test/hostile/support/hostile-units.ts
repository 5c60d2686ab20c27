import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** Units that behave as badly as their paths say. */
export interface HostileUnits {
  readonly url: string;
  /** The number of calls so far. */
  readonly calls: () => number;
  close(): Promise<void>;
}

const MEGABYTE = Buffer.alloc(1024 * 1024, 'x');
const MANY_KEYS = 100_000;

/** A response that decompresses to far more memory than the bytes that are sent. */
const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
const manyKeys = JSON.stringify({
  content: 1,
  state: Object.fromEntries(Array.from({ length: MANY_KEYS }, (_, index) => [`key-${index}`, index])),
});

const BEHAVIOURS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/never': () => undefined,
  '/byte-by-byte': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 5);
    response.once('close', () => clearInterval(timer));
  },
  '/endless': (response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(MEGABYTE));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  },
  '/bomb': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(bomb);
  },
  '/many-keys': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(manyKeys);
  },
  '/long': (response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.end('x'.repeat(8_000_000));
  },
};

export async function startHostileUnits(): Promise<HostileUnits> {
  let calls = 0;
  const server = createServer((request, response) => {
    calls += 1;
    request.resume();
    response.on('error', () => response.destroy());
    BEHAVIOURS[request.url ?? '']?.(response);
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  server.requestTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
