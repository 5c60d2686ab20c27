import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { LoggerService } from '@nestjs/common';
import { InMemoryRunStore } from '../../src/engine/index.js';
import { startHost } from '../support/host.js';
import { serviceOf, type Service } from '../support/service.js';
import { document } from '../support/workflow-documents.js';

/** More than all buffers on the way hold, so that a client that does not read has not received all of it. */
const STEPS = 3_000;

let service: Service;
let store: InMemoryRunStore;
const lines: { readonly level: string; readonly text: string }[] = [];

beforeAll(async () => {
  store = new InMemoryRunStore();
  const at =
    (level: string) =>
    (...said: unknown[]) =>
      void lines.push({ level, text: said.map(String).join(' ') });
  const logger: LoggerService = { log: at('log'), warn: at('warn'), error: at('error'), debug: at('debug') };
  const app = await startHost({ adapter: 'express', flowgate: { store }, application: { logger } });
  service = serviceOf(app, '/flowgate');
  const step = { id: 'step', uses: 'builtin.set', config: { values: { text: 'x'.repeat(4_000) } } };
  const flow = { type: 'loop', do: 'step', maxIterations: STEPS };
  await service.register(document('long', [step], { flow }));
});
afterAll(() => service.close());

async function asked(path: string, accept: string): Promise<IncomingMessage> {
  const [response] = (await once(get(`${service.url}${path}`, { headers: { accept } }), 'response')) as [
    IncomingMessage,
  ];
  response.pause();
  return response;
}

it.each([
  ['stream', 'events', 'text/event-stream'],
  ['export', 'export', '*/*'],
])(
  'a run that is purged while its %s is read ends it, and is no error in the log',
  async (_what, of, accept) => {
    lines.length = 0;
    const { runId } = await service.start('long');
    const response = await asked(`/workflows/long/runs/${runId}/${of}`, accept);
    await once(response, 'readable');
    await store.purgeEnded({ endedBefore: Infinity, throughPosition: null, limit: 10 });
    let text = '';
    response.on('data', (chunk: Buffer) => (text += chunk.toString()));
    response.on('error', () => undefined);
    const over = new Promise((resolve) => response.on('close', resolve));
    response.resume();
    await over;
    expect(text).not.toMatch(/event: end|"sha256"/);
    expect(lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
    expect(lines.filter(({ text: line }) => line.includes('purged'))).toHaveLength(1);
    expect((await service.get(`/workflows/long/runs/${runId}`)).status).toBe(404);
  },
);
