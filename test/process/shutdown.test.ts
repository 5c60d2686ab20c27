import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import type { Body } from '../support/service.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { startProcess, type ServiceProcess } from '../support/service-process.js';
import { bound, document, mock, remote } from '../support/workflow-documents.js';

let service: ServiceProcess;
let address: string;
let unit: UnitServer;

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

/** Sends the signal and returns how the process ended, and after how many ms. */
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

  it('lets a request in flight and its unit complete', async () => {
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

  it('accepts no new run meanwhile, and says so on /health and /mcp', async () => {
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
      code: 'shutting-down',
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

  it('answers a client that waits for a run that the next process will continue', async () => {
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

  it('ends within the grace although a unit never responds', async () => {
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

  it('is not ready from the first moment on, is live, and says why, while a request in flight continues', async () => {
    await start();
    const release = Promise.withResolvers<void>();
    unit.answer(async () => {
      await release.promise;
      return { body: { content: 1 } };
    });
    expect(await probe('/health/ready')).toEqual([200, { ok: true }]);
    const answer = post('/workflows/remote/runs', { sync: true });
    await unit.received(1);
    service.child.kill('SIGTERM');
    await said('SIGTERM: no new runs');
    expect(await probe('/health/ready')).toEqual([
      503,
      { ok: false, error: 'The service is shutting down', code: 'shutting-down' },
    ]);
    expect(await probe('/health/live')).toEqual([200, { ok: true }]);
    release.resolve();
    expect((await answer).status).toBe(202);
    expect(await service.ended()).toMatchObject({ code: 0 });
  });
});

describe('the last line of a shutdown', () => {
  it('says that nothing is left in flight', async () => {
    await start();
    await post('/workflows/plain/runs', { sync: true });
    await stop();
    expect(lastLine()).toMatchObject({
      level: 'log',
      message: 'Flowgate has stopped; 0 unit(s) and 0 run(s) left in flight',
      units: 0,
      runs: 0,
    });
  });

  it('counts the units that never responded, and the runs that continue without one', async () => {
    await start({ FLOWGATE_SHUTDOWN_GRACE_MS: '600', FLOWGATE_STORE: 'sqlite' });
    const slow = Promise.withResolvers<void>();
    let calls = 0;
    // Two never respond; the third does within the grace, and its run has another step to take.
    unit.answer(async () => {
      calls += 1;
      await (calls < 3 ? new Promise<void>(() => undefined) : slow.promise);
      return { body: { content: 1 } };
    });
    for (const workflow of ['remote', 'remote', 'two-steps']) {
      await post(`/workflows/${workflow}/runs`, {});
      await unit.received(calls + 1);
    }
    const ended = stop();
    await said('SIGTERM: no new runs');
    slow.resolve();
    expect(await ended).toMatchObject({ code: 0 });
    expect(lastLine()).toMatchObject({
      level: 'log',
      message: 'Flowgate has stopped; 2 unit(s) and 3 run(s) left in flight, which go on at the next start',
      units: 2,
      runs: 3,
    });
  });

  it('says that runs of the memory store are lost', async () => {
    await start({ FLOWGATE_SHUTDOWN_GRACE_MS: '0' });
    unit.answer(() => new Promise<void>(() => undefined));
    await post('/workflows/remote/runs', {});
    await unit.received(1);
    await stop();
    expect(lastLine().message).toMatch(/1 unit\(s\) and 1 run\(s\) left in flight, which are lost/);
  });

  it('is written also when a second signal, of either kind, ends the process at once', async () => {
    await start({ FLOWGATE_SHUTDOWN_GRACE_MS: '600000', FLOWGATE_STORE: 'sqlite' });
    unit.answer(() => new Promise<void>(() => undefined));
    await post('/workflows/remote/runs', {});
    await unit.received(1);
    service.child.kill('SIGTERM');
    await said('SIGTERM: no new runs; units in flight get 600000 ms');
    const from = Date.now();
    service.child.kill('SIGINT');
    expect(await service.ended()).toEqual({ code: null, signal: 'SIGINT' });
    expect(Date.now() - from).toBeLessThan(2_000);
    expect(lastLine()).toMatchObject({
      level: 'warn',
      message:
        'Flowgate has stopped at a second signal (SIGINT), before everything came to its end; ' +
        '1 unit(s) and 1 run(s) left in flight, which go on at the next start',
    });
  });

  it('is written when the time is up, whatever hangs', async () => {
    // The whole service, whose close never ends.
    const hanging = `
      const { createService } = await import('./app.module.js');
      const { readConfig } = await import('./config/service/read-config.js');
      const { shutDownOnSignal } = await import('./shut-down.js');
      const { Logger } = await import('@nestjs/common');
      const { config } = readConfig(process.env);
      const app = await createService(config);
      const neverCloses = { get: (type) => app.get(type), close: () => new Promise(() => {}) };
      shutDownOnSignal({ app: neverCloses, config, logger: new Logger('Flowgate'), fail: (error) => { throw error; } });
      await app.listen(0, '127.0.0.1');
      process.stdout.write('listens on ' + (await app.getUrl()) + '\\n');`;
    service = startProcess({ FLOWGATE_SHUTDOWN_GRACE_MS: '100' }, { script: hanging });
    await service.listening();
    const { code, afterMs } = await stop();
    expect([code, afterMs >= 4_500]).toEqual([0, true]);
    expect(lastLine()).toMatchObject({
      level: 'warn',
      message:
        'Flowgate has stopped for lack of time, before everything came to its end; ' +
        '0 unit(s) and 0 run(s) left in flight',
    });
  });
});

/** The last line of the log. */
function lastLine(): { readonly level: string; readonly message: string } {
  return JSON.parse(service.said.stdout.trim().split('\n').at(-1) ?? '');
}

async function said(text: string): Promise<void> {
  while (!service.said.stdout.includes(text)) await once(service.child.stdout!, 'data');
}

async function probe(path: string): Promise<[number, Body]> {
  const response = await fetch(`${address}${path}`);
  return [response.status, await response.json()];
}
