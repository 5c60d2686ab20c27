import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { EventStreams } from '../../src/http/event-stream/event-streams.js';
import { eventually } from '../support/eventually.js';
import { startService, type Service } from '../support/service.js';
import { document, mock } from '../support/workflow-documents.js';

const STREAMS = 300;
const RUNS = 300;
const MAX_BYTES_PER_STREAM = 100_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let service: Service;
const sockets: Socket[] = [];

beforeAll(async () => {
  service = await startService();
  await service.register(
    document(
      'talks',
      Array.from({ length: 10 }, (_, n) => mock(`u${n}`, 'x'.repeat(1_000))),
    ),
  );
});
afterAll(() => service.close());

function usedMemory(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function openUnread(path: string): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n`);
  return socket;
}

it('buffers little for streams whose clients never read, whatever happens, and nothing once they are gone', async () => {
  for (let n = 0; n < RUNS; n += 1) await service.start('talks');
  const streams = service.app.get(EventStreams, { strict: false });
  const before = usedMemory();
  const paths = ['/events', '/runs', '/gates'];
  for (let n = 0; n < STREAMS; n += 1) sockets.push(await openUnread(paths[n % paths.length] ?? ''));
  await eventually(
    async () => streams.count,
    (count) => count === STREAMS,
  );
  for (let n = 0; n < RUNS; n += 1) await service.start('talks');
  const more = usedMemory() - before;
  expect(more / STREAMS).toBeLessThan(MAX_BYTES_PER_STREAM);
  for (const socket of sockets) socket.destroy();
  await eventually(
    async () => streams.count,
    (count) => count === 0,
  );
}, 60_000);
