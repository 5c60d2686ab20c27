import { request } from 'node:http';
import type { RunRecord } from '../../src/engine/index.js';
import { startService, type Service } from '../support/service.js';
import { document, gate } from '../support/workflow-documents.js';

const COPIES = 20;
/** Characters that must be escaped, one of two UTF-16 units, and half of such a pair. */
const TEXT = 'long "text" \\ \n \u0000 é 😀 \ud83d '.repeat(20_000);

let service: Service;
let path: string;
let paused: RunRecord;

beforeAll(async () => {
  service = await startService();
  const values = Object.fromEntries(
    Array.from({ length: COPIES }, (_, i) => [`copy${i}`, '${{ input.text }}']),
  );
  const set = { id: 'set', uses: 'builtin.set', config: { values } };
  await service.register(document('large', [set, gate('ask')]));
  paused = await service.start('large', { input: { text: TEXT }, sync: true });
  path = `/workflows/large/runs/${paused.runId}`;
});
afterAll(() => service.close());

describe('a record that is too long to be written in one piece', () => {
  it('is whole, over HTTP and as the text of a tool’s result', async () => {
    expect(Object.keys(paused.result!.state)).toHaveLength(COPIES + 1);
    expect(paused.result!.state['copy7'] === TEXT).toBe(true);
    const { status, headers, text } = await service.get(path);
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(text === JSON.stringify(paused)).toBe(true);
    const params = { name: 'get_run', arguments: { workflowId: 'large', runId: paused.runId } };
    const answer = await service.post('/mcp', { jsonrpc: '2.0', id: 7, method: 'tools/call', params });
    const result = { content: [{ type: 'text', text: JSON.stringify(paused) }] };
    expect(answer.text === JSON.stringify({ jsonrpc: '2.0', id: 7, result })).toBe(true);
  });

  it('is the response of a resume, too, with its status and headers', async () => {
    const { status, headers, body } = await service.post(`${path}/resume`, {});
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body.result.state['copy7'] === TEXT).toBe(true);
  });

  it('is sent while others are answered', async () => {
    const slow = new Promise<number>((resolve, reject) => {
      let bytes = 0;
      request(`${service.url}${path}`, (response) => {
        response.once('readable', async () => {
          // The client reads nothing more until another one was answered.
          try {
            expect((await service.get('/health')).status).toBe(200);
          } catch (error) {
            reject(error as Error);
          }
          response.on('data', (chunk: Buffer) => (bytes += chunk.length));
          response.on('end', () => resolve(bytes));
        });
      }).end();
    });
    expect(await slow).toBe(Buffer.byteLength(JSON.stringify(paused)));
  });

  it('may be abandoned by its client, and the next response is whole', async () => {
    for (let i = 0; i < 10; i++) {
      await new Promise<void>((resolve) => {
        const left = request(`${service.url}${path}`, (response) => {
          response.once('data', () => {
            left.destroy();
            resolve();
          });
        });
        left.on('error', () => undefined);
        left.end();
      });
    }
    expect((await service.get(path)).text === JSON.stringify(paused)).toBe(true);
  });
});
