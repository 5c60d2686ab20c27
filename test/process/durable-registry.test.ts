import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Body } from '../support/service.js';
import { startProcess, type ServiceProcess } from '../support/service-process.js';
import { startUnitServer } from '../support/unit-server.js';
import { bound, document, mock, remote } from '../support/workflow-documents.js';

const DURABLE = { FLOWGATE_REGISTRY: 'durable' };
const KEY = { FLOWGATE_ENCRYPTION_KEY: 'ab'.repeat(32) };

let dataDir: string;
let service: ServiceProcess;
let address: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'flowgate-data-'));
});
afterEach(async () => {
  await service.clear();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

async function start(environment: Readonly<Record<string, string>>): Promise<void> {
  service = startProcess({ FLOWGATE_STORE: 'sqlite', FLOWGATE_DATA_DIR: dataDir, ...environment });
  address = await service.listening();
}

async function restart(environment: Readonly<Record<string, string>>, signal: NodeJS.Signals = 'SIGTERM') {
  service.child.kill(signal);
  await service.ended();
  await service.clear();
  await start(environment);
}

async function post(path: string, body: unknown): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${address}${path}`, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

const register = (yaml: string, bindings?: unknown) => post('/workflows/from-yaml', { yaml, bindings });
const run = (id: string) => post(`/workflows/${id}/runs`, { sync: true });
const workflows = async () => ((await (await fetch(`${address}/workflows`)).json()) as Body).workflows;

describe.each(['SIGTERM', 'SIGKILL'] as const)('with FLOWGATE_REGISTRY=durable, after %s', (signal) => {
  it('workflows are registered again in their order, with their bindings, as they were last', async () => {
    const unit = await startUnitServer({ body: { content: 'from afar' } });
    try {
      await start(DURABLE);
      await register(document('first', [mock('a', 'old')]));
      await register(document('second', [remote('b')]), bound('b', unit.url));
      const { body } = await register(document('first', [mock('a', 'new')]));
      expect(body.note).toMatch(/durable.*registered again by itself/);
      await restart(DURABLE, signal);

      expect(await workflows()).toEqual(['first', 'second']);
      expect((await run('first')).body.result.state['output.a']).toBe('new');
      expect((await run('second')).body.result.state['output.b']).toBe('from afar');
    } finally {
      await unit.close();
    }
  });
});

describe('with FLOWGATE_REGISTRY=durable', () => {
  it('what was unregistered stays so after a restart', async () => {
    await start(DURABLE);
    for (const id of ['kept', 'removed']) await register(document(id, [mock('a')]));
    expect((await fetch(`${address}/workflows/removed`, { method: 'DELETE' })).status).toBe(204);
    await restart(DURABLE, 'SIGKILL');
    expect(await workflows()).toEqual(['kept']);
    expect((await run('removed')).body).not.toHaveProperty('detail');
  });
});

describe('with FLOWGATE_REGISTRY=memory', () => {
  it('nothing is registered after a restart, whatever an earlier process registered, and the note says so', async () => {
    await start(DURABLE);
    await register(document('kept', [mock('a')]));
    await restart({});
    expect(await workflows()).toEqual([]);
    expect((await run('kept')).body).toMatchObject({
      error: 'Unknown workflow: kept',
      detail: expect.stringMatching(/register it again.*FLOWGATE_WORKFLOWS_DIR.*FLOWGATE_REGISTRY=durable/),
    });
    const { body } = await register(document('other', [mock('a')]));
    expect(body.note).toMatch(/memory.*register this workflow again after the service restarts/);
  });

  it('what was registered is loaded again once the registry is durable', async () => {
    await start({});
    await register(document('early', [mock('a', 1)]));
    await restart(DURABLE);
    expect(await workflows()).toEqual(['early']);
    expect((await run('early')).body.status).toBe('completed');
  });
});

describe('a document that cannot be loaded any more', () => {
  it('is skipped with an error that names it, and the service starts with the others', async () => {
    await start(DURABLE);
    await register(document('readable', [mock('a', 1)]));
    await restart({ ...DURABLE, ...KEY });
    await register(document('sealed-one', [mock('a', 2)]));
    await restart(DURABLE);

    expect(await workflows()).toEqual(['readable']);
    expect((await run('readable')).body.status).toBe('completed');
    expect((await run('sealed-one')).body.error).toBe('Unknown workflow: sealed-one');
    const loud = service.said.stdout
      .split('\n')
      .concat(service.said.stderr.split('\n'))
      .filter((line) => /"level":"(warn|error)"/.test(line));
    expect(loud.filter((line) => line.includes('sealed-one'))).toHaveLength(1);
  });

  it('is registered again when what it lacked is available', async () => {
    await start({ ...DURABLE, ...KEY });
    await register(document('sealed-one', [mock('a', 2)]));
    await restart(DURABLE);
    expect(await workflows()).toEqual([]);
    await restart({ ...DURABLE, ...KEY });
    expect(await workflows()).toEqual(['sealed-one']);
    expect((await run('sealed-one')).body.result.state['output.a']).toBe(2);
  });
});
