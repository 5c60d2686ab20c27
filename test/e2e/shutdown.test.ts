import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import type { Body } from '../support/service.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { buildService, startProcess, type ServiceProcess } from '../support/service-process.js';
import { bound, document, mock, remote } from '../support/workflow-documents.js';

let service: ServiceProcess;
let address: string;
let unit: UnitServer;

beforeAll(() => buildService(), 60_000);
beforeEach(async () => {
  unit = await startUnitServer();
});
afterEach(async () => {
  await service.clear();
  await unit.close();
});

async function start(environment: Record<string, string> = {}): Promise<void> {
  service = startProcess(environment);
  address = await service.listening();
  await post('/workflows/from-yaml', { yaml: document('plain', [mock('a')]) });
  const bindings = bound('a', unit.url);
  await post('/workflows/from-yaml', { yaml: document('remote', [remote('a')]), bindings });
  await post('/workflows/from-yaml', { yaml: document('two-steps', [remote('a'), mock('b')]), bindings });
}

async function post(path: string, body: unknown): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${address}${path}`, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

/** Sends the signal and gives how the process ended, and after how many ms. */
async function stop(signal: NodeJS.Signals = 'SIGTERM') {
  const from = Date.now();
  service.child.kill(signal);
  const { code } = await service.ended();
  return { code, afterMs: Date.now() - from };
}

describe('SIGTERM', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('%s ends an idle process at once with 0', async (signal) => {
    await start();
    const { code, afterMs } = await stop(signal);
    expect(code).toBe(0);
    expect(afterMs).toBeLessThan(2_000);
  });

  it('does not wait for idle keep-alive connections', async () => {
    await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 5 });
    for (let i = 0; i < 5; i += 1) {
      const request = httpRequest(`${address}/health`, { agent }).end();
      const [response] = await once(request, 'response');
      await once(response.resume(), 'end');
    }
    const silent = connect(Number(new URL(address).port), '127.0.0.1');
    await once(silent, 'connect');
    const { code, afterMs } = await stop();
    expect([code, afterMs < 3_000]).toEqual([0, true]);
    agent.destroy();
    silent.destroy();
  });

  it('lets a request in flight and its unit come to their end', async () => {
    await start();
    unit.answer(async () => {
      await new Promise((resolve) => setTimeout(resolve, 600));
      return { body: { content: 'in time' } };
    });
    const answer = post('/workflows/remote/runs', { sync: true });
    await unit.received(1);
    const ended = stop();
    const { status, body } = await answer;
    expect([status, body.result?.state?.['output.a']]).toEqual([202, 'in time']);
    expect(await ended).toMatchObject({ code: 0 });
  });

  it('meanwhile takes no new run, and says so on /health and /mcp', async () => {
    await start();
    unit.answer(async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return { body: { content: 1 } };
    });
    const answer = post('/workflows/remote/runs', { sync: true });
    await unit.received(1);
    const ended = stop();
    await new Promise((resolve) => setTimeout(resolve, 150));
    const health = await fetch(`${address}/health`);
    expect(health.status).toBe(503);
    expect(await health.json()).toMatchObject({
      ok: false,
      workflows: ['plain', 'remote', 'two-steps'],
      error: expect.any(String),
    });
    const refused = await post('/workflows/plain/runs', {});
    expect([refused.status, refused.body.error]).toEqual([503, expect.stringContaining('shutting down')]);
    const rpc = await post('/mcp', {
      id: 7,
      method: 'tools/call',
      params: { name: 'run_workflow', arguments: { workflowId: 'plain' } },
    });
    expect(rpc).toMatchObject({
      status: 200,
      body: { id: 7, error: { message: expect.stringContaining('shutting down') } },
    });
    expect((await answer).status).toBe(202);
    expect(await ended).toMatchObject({ code: 0 });
  });

  it('answers who waits for a run that the next process will take up', async () => {
    await start();
    unit.answer(async () => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return { body: { content: 1 } };
    });
    const answer = post('/workflows/two-steps/runs', { sync: true });
    await unit.received(1);
    const ended = stop();
    const { status, body } = await answer;
    expect([status, body.status]).toEqual([202, 'running']);
    expect(await ended).toMatchObject({ code: 0 });
  });

  it('ends within the grace although a unit never answers', async () => {
    await start({ FLOWGATE_SHUTDOWN_GRACE_MS: '400' });
    unit.answer(() => new Promise<void>(() => undefined));
    const answer = post('/workflows/remote/runs', { sync: true }).catch((error: unknown) => error);
    await unit.received(1);
    const { code, afterMs } = await stop();
    expect(code).toBe(0);
    expect(afterMs).toBeGreaterThanOrEqual(350);
    expect(afterMs).toBeLessThan(4_000);
    await answer;
  });
});
