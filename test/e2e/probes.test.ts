import { Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FlowgateModule, InMemoryRunStore } from '../../src/index.js';
import { serviceOf, startService, type Service } from '../support/service.js';
import { document, mock } from '../support/workflow-documents.js';

/** A store that can become unavailable, or stop responding. */
class AilingStore extends InMemoryRunStore {
  isAway = false;
  isSilent = false;
  checks = 0;

  override check(): Promise<void> {
    this.checks += 1;
    if (this.isSilent) return new Promise(() => undefined);
    return this.isAway ? Promise.reject(new Error('/var/lib/runs is gone: restore it')) : Promise.resolve();
  }
}

/** A store that takes as long to list its unfinished runs as the test wants. */
class SlowToList extends InMemoryRunStore {
  readonly listed = Promise.withResolvers<void>();

  override async listUnfinished(...request: Parameters<InMemoryRunStore['listUnfinished']>) {
    await this.listed.promise;
    return super.listUnfinished(...request);
  }
}

const apps: INestApplication[] = [];
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

async function hostWith(store: InMemoryRunStore, prefix = ''): Promise<Service> {
  @Module({ imports: [FlowgateModule.forRoot({ store, prefix })] })
  class HostModule {}
  const app = await NestFactory.create(HostModule, { logger: false });
  apps.push(app);
  await app.listen(0, '127.0.0.1');
  return serviceOf(app, prefix);
}

describe('GET /health/live', () => {
  it('is 200 although the store is unavailable, and does not access it', async () => {
    const store = new AilingStore();
    const service = await hostWith(store);
    store.isAway = true;
    const { checks } = store;
    const { status, body } = await service.get('/health/live');
    expect([status, body, store.checks - checks]).toEqual([200, { ok: true }, 0]);
  });
});

describe('GET /health/ready', () => {
  it('is 200 where work is accepted', async () => {
    const service = await hostWith(new InMemoryRunStore());
    await service.register(document('plain', [mock('a')]));
    const { status, body, headers } = await service.get('/health/ready');
    expect([status, body]).toEqual([200, { ok: true }]);
    expect(headers['content-type']).toMatch(/^application\/json/);
  });

  it('is 503 while the store is unavailable, does not say where it was, and 200 once it is back', async () => {
    const store = new AilingStore();
    const service = await hostWith(store);
    store.isAway = true;
    const { status, body, text } = await service.get('/health/ready');
    expect([status, body]).toEqual([
      503,
      { ok: false, error: expect.stringContaining('store cannot be reached'), code: 'store' },
    ]);
    expect(text).not.toContain('/var/lib');
    store.isAway = false;
    expect((await service.get('/health/ready')).status).toBe(200);
  });

  it('is 503 in time when the store does not respond, however many ask, and accesses it once', async () => {
    const store = new AilingStore();
    const service = await hostWith(store);
    store.isSilent = true;
    store.checks = 0;
    const from = Date.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.get('/health/ready')));
    expect(Date.now() - from).toBeLessThan(15_000);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set([
        '503 {"ok":false,"error":"The store does not answer within 2000 ms: check its disk","code":"store"}',
      ]),
    );
    expect(store.checks).toBe(1);
  });

  it('is 503 until the runs of the last process are taken over', async () => {
    const store = new SlowToList();
    const service = await hostWith(store);
    const before = await service.get('/health/ready');
    expect([before.status, before.body.error]).toEqual([503, expect.stringContaining('takes over')]);
    expect((await service.get('/health')).status).toBe(200);
    store.listed.resolve();
    while ((await service.get('/health/ready')).status !== 200);
  });

  it('is mounted below the prefix of a host', async () => {
    const service = await hostWith(new InMemoryRunStore(), '/flows');
    expect((await service.get('/health/ready')).status).toBe(200);
    expect((await service.get('/health/live')).status).toBe(200);
  });
});

describe('the probes of the standalone service', () => {
  let service: Service;
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.close());

  it.each(['/health/live', '/health/ready'])('answer HEAD at %s without a body', async (path) => {
    const { status, text } = await service.call('HEAD', path);
    expect([status, text]).toEqual([200, '']);
  });

  it.each(['/health/live', '/health/ready'])('take no other method at %s', async (path) => {
    const { status, headers } = await service.post(path, {});
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
  });

  it.each(['/health/live', '/health/ready'])(
    'are refused to pages by another name, as all else: %s',
    async (path) => {
      const { status } = await service.call('GET', path, { headers: { host: 'evil.example' } });
      expect(status).toBe(403);
    },
  );
});
