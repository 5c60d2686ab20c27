import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FlowgateClient, type RunEvent } from 'flowgate-client';
import { temporaryFolder } from '../../../../test/support/data-folder.js';
import { freePort } from '../../../../test/support/free-port.js';
import { startProcess } from '../../../../test/support/service-process.js';
import { startService } from '../../../../test/support/service.js';
import { document, gate, mock } from '../../../../test/support/workflow-documents.js';

const FAST = { count: 200, baseMs: 5, maxMs: 20 };

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

/** Sends on what it is asked, and disconnects each response that is a stream after so many bytes. */
async function cuttingProxy(port: number, bytesUntilCut: () => number) {
  let cuts = 0;
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    const sent = httpRequest({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      if (answer.headers['content-type'] !== 'text/event-stream') return void answer.pipe(response);
      let left = bytesUntilCut();
      answer.on('error', () => undefined);
      answer.on('data', (chunk: Buffer) => {
        response.write(chunk.subarray(0, left), () => {
          if (left > 0) return;
          response.destroy();
          answer.destroy();
        });
        if (left > 0 && left <= chunk.length) cuts += 1;
        left -= chunk.length;
      });
      answer.on('end', () => response.end());
    });
    sent.on('error', () => response.destroy());
    request.pipe(sent);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get cuts() {
      return cuts;
    },
    close: () => (server.close(), server.closeAllConnections()),
  };
}

describe('a run that is watched over a line that is cut', () => {
  it('at 500 places is told whole and in order, each event once', async () => {
    const service = await startService();
    const direct = new FlowgateClient({ baseUrl: service.url });
    await direct.loadAndRegister(
      document(
        'long',
        Array.from({ length: 12 }, (_, i) => mock(`u${i}`)),
      ),
    );
    const { runId } = await direct.startWorkflow('long', {}, { sync: true });
    const expected = await all(direct.eachEvent('long', runId));
    let seed = 7;
    const proxy = await cuttingProxy(Number(new URL(service.url).port), () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return 20 + (seed % 1_500);
    });
    const client = new FlowgateClient({ baseUrl: proxy.url, retries: FAST });
    while (proxy.cuts < 500) expect(await all(client.watchRun('long', runId))).toEqual(expected);
    proxy.close();
    await service.close();
  }, 120_000);

  it('by the death of the service is told on by the next one', async () => {
    const folder = await temporaryFolder();
    const environment = {
      PORT: String(await freePort()),
      FLOWGATE_STORE: 'sqlite',
      FLOWGATE_DATA_DIR: folder.path,
      FLOWGATE_REGISTRY: 'durable',
    };
    const first = startProcess(environment);
    const baseUrl = await first.listening();
    const client = new FlowgateClient({ baseUrl, retries: FAST });
    await client.loadAndRegister(
      document('killed', [mock('a'), gate('one'), mock('b'), gate('two'), mock('c')]),
    );
    const { runId } = await client.startWorkflow('killed', {}, { sync: true });
    const seen: RunEvent[] = [];
    let running = first;
    for await (const event of client.watchRun('killed', runId)) {
      seen.push(event);
      if (event.type !== 'gate.opened') continue;
      await running.clear();
      running = startProcess(environment);
      await running.listening();
      await client.respondHITL('killed', runId, true);
    }
    expect(seen).toEqual(await all(client.eachEvent('killed', runId)));
    expect(seen.filter(({ type }) => type === 'gate.decided')).toHaveLength(2);
    expect(seen.at(-1)?.type).toBe('run.completed');
    await running.clear();
    await folder.remove();
  }, 120_000);
});
