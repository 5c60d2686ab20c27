import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Body } from '../support/service.js';
import { startProcess, type ServiceProcess } from '../support/service-process.js';
import { document, gate, mock } from '../support/workflow-documents.js';

let dataDir: string;
let service: ServiceProcess;
let address: string;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'flowgate-data-'));
  await start();
});
afterEach(async () => {
  await service.clear();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
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
    it('a paused run is as it was, and continues although its workflow is not registered', async () => {
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

it('a start on a folder whose write-ahead log was damaged says in one line what is lost, and ends with 1', async () => {
  await post('/workflows/from-yaml', { yaml: document('plain', [mock('a', 1)]) });
  for (let count = 0; count < 20; count += 1) await post('/workflows/plain/runs', { sync: true });
  // The last position is written a moment after the commit.
  await new Promise((resolve) => setTimeout(resolve, 100));
  service.child.kill('SIGKILL');
  await service.ended();
  await service.clear();
  const log = join(dataDir, 'runs.db-wal');
  const descriptor = openSync(log, 'r+');
  writeSync(descriptor, Buffer.alloc(100, 0xa5), 0, 100, Math.floor(statSync(log).size / 2));
  closeSync(descriptor);

  service = startProcess({ FLOWGATE_STORE: 'sqlite', FLOWGATE_DATA_DIR: dataDir });
  expect((await service.ended()).code).toBe(1);
  expect(service.said.stderr.trim().split('\n')).toEqual([
    expect.stringMatching(
      /^FLOWGATE_DATA_DIR is ".+": The end of the log of all runs is lost: .*delete last-position\.txt in it\.$/,
    ),
  ]);
});

if (process.platform === 'linux') {
  it('a start on a virtual file system says in one line that no data folder can be there, and ends with 1', async () => {
    const lost = startProcess({ FLOWGATE_STORE: 'sqlite', FLOWGATE_DATA_DIR: '/proc/flowgate' });
    expect((await lost.ended()).code).toBe(1);
    expect(lost.said.stderr.trim().split('\n')).toEqual([
      expect.stringContaining('The data folder cannot be created'),
    ]);
    await lost.clear();
  });
}
