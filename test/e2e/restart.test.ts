import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Body } from '../support/service.js';
import { buildService, startProcess, type ServiceProcess } from '../support/service-process.js';
import { document, gate, mock } from '../support/workflow-documents.js';

let dataDir: string;
let service: ServiceProcess;
let address: string;

beforeAll(() => buildService(), 60_000);
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'flowgate-data-'));
  await start();
});
afterEach(async () => {
  await service.clear();
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(): Promise<void> {
  service = startProcess({ FLOWGATE_STORE: 'sqlite', FLOWGATE_DATA_DIR: dataDir });
  address = await service.listening();
}

async function post(path: string, body: unknown): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${address}${path}`, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

describe.each(['SIGTERM', 'SIGKILL'] as const)(
  'after %s and a new start on the same data folder',
  (signal) => {
    it('a paused run is there as it was, and goes on although its workflow is not registered', async () => {
      await post('/workflows/from-yaml', {
        yaml: document('gated', [mock('a', 1), gate('agree'), mock('c', 3)]),
      });
      const { body: paused } = await post('/workflows/gated/runs', { sync: true, input: { x: 'y' } });
      service.child.kill(signal);
      await service.ended();
      await service.clear();
      await start();

      expect(await (await fetch(`${address}/workflows`)).json()).toMatchObject({ workflows: [] });
      const path = `/workflows/gated/runs/${paused.runId}`;
      expect(await (await fetch(`${address}${path}`)).json()).toEqual(paused);
      expect((await post('/workflows/gated/runs', {})).status).toBe(500);
      const { status, body } = await post(`${path}/hitl`, { approved: true });
      expect([status, body.status]).toEqual([200, 'completed']);
      expect(body.result.state).toMatchObject({ x: 'y', 'output.a': 1, 'output.c': 3 });
    });
  },
);

it('a second process on the same data folder says so in one line, and ends with 1', async () => {
  const second = startProcess({ FLOWGATE_STORE: 'sqlite', FLOWGATE_DATA_DIR: dataDir });
  expect((await second.ended()).code).toBe(1);
  expect(second.said.stderr.trim().split('\n')).toHaveLength(1);
  await second.clear();
});
