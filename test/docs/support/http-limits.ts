import { readConfig } from '../../../src/config/service/read-config.js';
import { SETTINGS } from '../../../src/config/service/settings.js';
import type { Service } from '../../support/service.js';
import { eventually } from '../../support/eventually.js';
import { document, gate, mock } from '../../support/workflow-documents.js';

interface Tried {
  readonly service: Service;
  /** What the page says. */
  readonly most: number;
  /** The variable that the page names; empty: none. */
  readonly setting: string;
}

const ITEMS = 600;
const LONG_RUN = { flow: { type: 'foreach', items: 'input.items', do: 'say', maxConcurrency: 50 } };

/** How to try each limit, by what the page calls it. */
export const limits: ReadonlyMap<string, (tried: Tried) => void | Promise<void>> = new Map([
  [
    'a body, in bytes',
    async (tried: Tried) => {
      expectDefault(tried);
      const ofLength = (length: number) => startWith(tried.service, '{}'.padEnd(length));
      expect(await statusesOf([ofLength(tried.most), ofLength(tried.most + 1)])).toEqual([202, 413]);
    },
  ],
  ['bodies that are arriving, together, in bytes', expectDefault],
  [
    'an export that is imported, in bytes',
    async ({ service, most }: Tried) => {
      const ofLength = (length: number) => service.post('/runs/import', ' '.repeat(length));
      expect(await statusesOf([ofLength(most), ofLength(most + 1)])).toEqual([400, 413]);
    },
  ],
  [
    'values in a body',
    async ({ service, most }: Tried) => {
      // The object and the list are values, too, and so is what a first comma would follow.
      const ofCount = (count: number) => startWith(service, `{"x":[0${',0'.repeat(count - 3)}]}`);
      expect(await statusesOf([ofCount(most), ofCount(most + 1)])).toEqual([202, 400]);
    },
  ],
  [
    'keys in a body',
    async ({ service, most }: Tried) => {
      const ofCount = (count: number) =>
        startWith(
          service,
          `{"x":{"k":0${Array.from({ length: count - 2 }, (_, key) => `,"k${key}":0`).join('')}}}`,
        );
      expect(await statusesOf([ofCount(most), ofCount(most + 1)])).toEqual([202, 400]);
    },
  ],
  [
    'the address and the headers, in bytes',
    async ({ service, most }: Tried) => {
      const ofLength = (length: number) =>
        service.call('GET', '/health', { headers: { 'x-long': 'x'.repeat(length) } });
      expect(await statusesOf([ofLength(most - 1_000), ofLength(most)])).toEqual([200, 431]);
    },
  ],
  [
    'connections at once',
    (tried: Tried) => {
      expectDefault(tried);
      expect(tried.service.app.getHttpServer().maxConnections).toBe(tried.most);
    },
  ],
  ['how long resume, hitl, cancel and pause wait, in milliseconds', expectDefault],
  [
    'a key of `Idempotency-Key`, in characters',
    async ({ service, most }: Tried) => {
      const ofLength = (length: number) =>
        service.post('/workflows/ping/runs', {}, { 'idempotency-key': 'k'.repeat(length) });
      expect(await statusesOf([ofLength(most), ofLength(most + 1)])).toEqual([202, 400]);
    },
  ],
  ['`responder`, in characters', (tried: Tried) => lengthAtGate(tried, 'responder')],
  [
    '`by`, in characters',
    async ({ service, most }: Tried) => {
      await service.register(document('gated', [gate('agree')]));
      const { runId } = await service.start('gated');
      const ofLength = (length: number) =>
        service.post(`/workflows/gated/runs/${runId}/cancel`, { by: 'x'.repeat(length) });
      expect(await statusesOf([ofLength(most + 1), ofLength(most)])).toEqual([400, 200]);
    },
  ],
  ['`comment`, in characters', (tried: Tried) => lengthAtGate(tried, 'comment')],
  [
    'runs of a batch',
    async ({ service, most }: Tried) => {
      const ofCount = (count: number) =>
        service.post('/workflows/ping/runs/batch', { runs: Array.from({ length: count }, () => ({})) });
      expect(await statusesOf([ofCount(most), ofCount(most + 1)])).toEqual([202, 400]);
    },
  ],
  ['event streams at once', expectDefault],
  [
    'events of a page',
    async ({ service, most }: Tried) => {
      const { runId } = await longRun(service);
      const ofLimit = (limit: number) => service.get(`/workflows/long/runs/${runId}/events?limit=${limit}`);
      expect(await statusesOf([ofLimit(most), ofLimit(most + 1)])).toEqual([200, 400]);
      const { body } = await ofLimit(most);
      expect([body.items.length, body.next]).toEqual([most, expect.any(Number)]);
    },
  ],
  [
    'messages of a record',
    async ({ service, most }: Tried) => {
      const { result } = await longRun(service);
      expect(result?.messages).toHaveLength(most);
      expect(result?.messages.at(-1)).toMatchObject({ type: 'checkpoint' });
    },
  ],
  [
    'messages or checkpoints of a page',
    async ({ service, most }: Tried) => {
      const { runId } = await longRun(service);
      const run = `/workflows/long/runs/${runId}`;
      const { body } = await service.get(`${run}/messages?limit=${most * 5}`);
      expect([body.messages.length, body.next]).toEqual([most, expect.any(String)]);
      expect((await service.get(`${run}/snapshots?limit=${most * 5}`)).status).toBe(200);
    },
  ],
  [
    'runs or gates of a page',
    async ({ service, most }: Tried) => {
      for (const list of ['/runs', '/gates', '/workflows/ping/runs']) {
        const ofLimit = (limit: number) => service.get(`${list}?limit=${limit}`);
        expect(await statusesOf([ofLimit(most), ofLimit(most + 1)])).toEqual([200, 400]);
      }
    },
  ],
  [
    'labels of a run',
    async ({ service, most }: Tried) => {
      const ofCount = (count: number) =>
        startLabelled(service, Object.fromEntries(Array.from({ length: count }, (_, n) => [`l${n}`, 'x'])));
      expect(await statusesOf([ofCount(most), ofCount(most + 1)])).toEqual([202, 400]);
    },
  ],
  [
    'a label’s value, in characters',
    async ({ service, most }: Tried) => {
      const ofLength = (length: number) => startLabelled(service, { long: 'x'.repeat(length) });
      expect(await statusesOf([ofLength(most), ofLength(most + 1)])).toEqual([202, 400]);
    },
  ],
  [
    'results of a search',
    async ({ service, most }: Tried) => {
      await longRun(service);
      const { body } = await eventually(
        () => service.get(`/memory/search?q=needle&topK=${most * 5}`),
        (answer) => answer.body.results.length >= most,
      );
      expect(body.results).toHaveLength(most);
    },
  ],
  [
    '`details` of an error',
    async ({ service, most }: Tried) => {
      expect((await manyFaults(service)).details).toHaveLength(most);
    },
  ],
  [
    'lines of an `error`',
    async ({ service, most }: Tried) => {
      const { error } = await manyFaults(service);
      expect(error.match(/no unit answers to/g)).toHaveLength(most);
      expect(error).toMatch(/more in details$/);
    },
  ],
]);

/** What the page says is the default of the service, and the variable changes it. */
function expectDefault({ most, setting }: Tried): void {
  const [field] = Object.entries(SETTINGS).find(([, { variable }]) => variable === setting) ?? [];
  expect(readConfig({}).config).toMatchObject({ [field ?? setting]: most });
}

function startWith(service: Service, body: string) {
  return service.post('/workflows/ping/runs', body);
}

function startLabelled(service: Service, labels: object) {
  return startWith(service, JSON.stringify({ labels }));
}

async function statusesOf(
  answers: readonly Promise<{ readonly status: number }>[],
): Promise<readonly number[]> {
  return (await Promise.all(answers)).map(({ status }) => status);
}

async function lengthAtGate({ service, most }: Tried, field: string): Promise<void> {
  await service.register(document('gated', [gate('agree')]));
  const { runId } = await service.start('gated');
  const ofLength = (length: number) =>
    service.post(`/workflows/gated/runs/${runId}/hitl`, { approved: true, [field]: 'x'.repeat(length) });
  expect((await ofLength(most + 1)).status).toBe(400);
  expect((await ofLength(most)).status).toBe(200);
}

/** It has two messages for each of its items. */
async function longRun(service: Service) {
  await service.register(document('long', [mock('say', 'a needle')], LONG_RUN));
  return service.start('long', { input: { items: Array.from({ length: ITEMS }, () => 0) }, sync: true });
}

async function manyFaults(
  service: Service,
): Promise<{ readonly error: string; readonly details: readonly unknown[] }> {
  const units = Array.from({ length: 300 }, (_, index) => ({
    id: `u${index}`,
    uses: `acme.unknown-${index}`,
  }));
  return (await service.post('/workflows/from-yaml', { yaml: document('faulty', units) })).body;
}
