import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { Injectable, Logger } from '@nestjs/common';
import { Flowgate, FlowgateModule, Unit } from '../../../src/index.js';
import { AccessInMemory } from '../../support/access.js';
import { temporaryFolder } from '../../support/data-folder.js';
import { inSequence } from '../../support/engine.js';
import { startHost } from '../../support/host.js';
import { watch, type Watched } from '../../support/event-stream.js';
import { eventually } from '../../support/eventually.js';
import { startServiceWithAccess } from '../../support/service-with-access.js';
import { serviceOf, type Service } from '../../support/service.js';
import { document, gate, mock } from '../../support/workflow-documents.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function serviceWith(settings: Readonly<Record<string, string>>) {
  const started = await startServiceWithAccess(settings);
  closing.push(() => started.service.close());
  return started;
}

describe('the requests of an owner, where they are bounded', () => {
  const sent = async (
    service: Service,
    count: number,
    call: (service: Service) => Promise<{ readonly status: number }>,
  ) => {
    const statuses: number[] = [];
    for (let n = 0; n < count; n += 1) statuses.push((await call(service)).status);
    return statuses;
  };
  /** What is sent at once is more than comes back while it is, however slow the machine is. */
  const FEW = { FLOWGATE_MAX_REQUESTS_PER_OWNER: '1' };

  it('are 429 beyond that, with when to send again, before anything of a body is read', async () => {
    const { service, access } = await serviceWith(FEW);
    const headers = access.headersFor('default', 'admin');
    const refused = await Promise.all(
      Array.from({ length: 30 }, () => service.call('POST', '/workflows/from-yaml', { headers, body: '{' })),
    );
    const over = refused.filter(({ status }) => status === 429);
    // The first is taken, and one more for each second that this takes.
    expect(over.length).toBeGreaterThan(0);
    expect(refused.length - over.length).toBe(refused.filter(({ status }) => status === 400).length);
    expect(over.length).toBeLessThan(refused.length);
    for (const { headers: said, body } of over) {
      expect(body).toMatchObject({ code: 'too-many-requests' });
      expect(said['retry-after']).toBe('1');
    }
  });

  it('are those of all that the owner has, and cost no other owner anything', async () => {
    const { service, access } = await serviceWith(FEW);
    const grants = [{ namespace: 'default', roles: ['viewer'] }];
    const keys = Array.from({ length: 40 }, () => access.headersOf('ann', grants));
    const get = (headers: Record<string, string>) => service.call('GET', '/workflows', { headers });
    const all = await Promise.all(keys.map(get));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect((await get(access.headersOf('bob', grants))).status).toBe(200);
  });

  it('are counted at every route that asks who is asking, and once it is known', async () => {
    const { service, access } = await serviceWith(FEW);
    const headers = access.headersFor('default', 'viewer');
    const nobody = { authorization: 'Bearer nobody' };
    expect(await sent(service, 5, () => service.call('GET', '/workflows', { headers: nobody }))).toEqual(
      Array(5).fill(401),
    );
    expect(await sent(service, 5, () => service.call('GET', '/health', { headers }))).toEqual(
      Array(5).fill(200),
    );
    for (const [method, path] of [
      ['GET', '/whoami'],
      ['GET', '/no-such-route'],
      ['POST', '/mcp'],
    ] as const) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => service.call(method, path, { headers })),
      );
      const over = answers.filter(({ status }) => status === 429);
      expect([path, over.length > 0, over[0]?.headers['retry-after']]).toEqual([path, true, '1']);
    }
  });
});

describe('the bounds of a namespace', () => {
  it('are answered as what is full', async () => {
    const { service, access } = await serviceWith({
      FLOWGATE_MAX_WORKFLOWS_PER_NAMESPACE: '1',
      FLOWGATE_MAX_OPEN_RUNS_PER_NAMESPACE: '1',
    });
    const [left, right] = [access.headersFor('left', 'admin'), access.headersFor('right', 'admin')];
    const register = (headers: Record<string, string>, id: string) =>
      service.call('POST', '/workflows/from-yaml', { headers, body: { yaml: document(id, [gate('g')]) } });
    const start = (headers: Record<string, string>) =>
      service.call('POST', '/workflows/a/runs', { headers, body: {} });
    for (const headers of [left, right]) expect((await register(headers, 'a')).status).toBe(201);
    expect(await register(left, 'b')).toMatchObject({ status: 409, body: { code: 'registry-full' } });
    for (const headers of [left, right]) expect((await start(headers)).status).toBe(202);
    const full = await start(left);
    expect(full).toMatchObject({ status: 503, body: { code: 'namespace-full' } });
    expect(full.headers['retry-after']).toBe('10');
  });
});

describe('event streams', () => {
  it('are there for a tenant, and for each owner of one, however many others keep open', async () => {
    const { service, access } = await serviceWith({ FLOWGATE_SSE_MAX_STREAMS: '16' });
    const grants = (namespace: string) => [{ namespace, roles: ['viewer'] }];
    const open: Watched[] = [];
    const opened = async (owner: string, namespace: string): Promise<number> => {
      const headers = access.headersOf(owner, grants(namespace));
      const stream = await watch(`${service.url}/runs`, { headers });
      open.push(stream);
      return stream.status;
    };
    closing.push(async () => open.forEach((stream) => stream.leave()));
    const greedy: number[] = [];
    for (let n = 0; n < 20; n += 1) greedy.push(await opened('ann', 'left'));
    expect(greedy).toEqual([...Array(9).fill(200), ...Array(11).fill(503)]);
    expect(await opened('bob', 'left')).toBe(200);
    for (let n = 0; n < 20; n += 1) await opened(`owner ${n}`, 'left');
    expect(await opened('eve', 'right')).toBe(200);
    // What ends comes free again.
    open[0]?.leave();
    await eventually(
      () => opened('eve', 'right'),
      (status) => status === 200,
    );
  });
});

describe('a secret of default whose name has __', () => {
  const named = (name: string) =>
    document('w', [{ id: 'a', uses: 'call', config: { token: `\${secret:${name}}` } }]);
  const bindings = { call: { type: 'http', endpoint: 'http://127.0.0.1:9/' } };

  it('is refused where a document names it, unless the folder has it', async () => {
    const folder = await temporaryFolder();
    closing.push(() => folder.remove());
    const { service, access } = await serviceWith({ FLOWGATE_SECRETS_DIR: folder.path });
    const headers = access.headersFor('*', 'admin');
    const register = (yaml: string, more: object = { bindings }, namespace = 'default') =>
      service.call('POST', '/workflows/from-yaml', {
        headers: { ...headers, 'flowgate-namespace': namespace },
        body: { yaml, ...more },
      });
    const refused = {
      status: 400,
      body: {
        code: 'yaml-load',
        details: [{ message: expect.stringContaining('put a file TEAM__KEY into') }],
      },
    };
    expect(await register(named('TEAM__KEY'))).toMatchObject(refused);
    const validate = () =>
      service.call('POST', '/workflows/validate', { headers, body: { yaml: named('TEAM__KEY'), bindings } });
    expect(JSON.stringify((await validate()).body)).toContain('put a file TEAM__KEY into');
    const inHeaders = { bindings: { call: { ...bindings.call, headers: { token: '${secret:TEAM__KEY}' } } } };
    expect(await register(document('w', [{ id: 'a', uses: 'call' }]), inHeaders)).toMatchObject(refused);
    expect((await register(named('TEAM__KEY'), { bindings }, 'other')).status).toBe(201);
    expect((await register(named('KEY'))).status).toBe(201);
    await writeFile(join(folder.path, 'TEAM__KEY'), 'of the folder');
    expect((await register(named('TEAM__KEY'))).status).toBe(201);
  });

  it('is named by the start where a variable is of another namespace, and its value is not', async () => {
    process.env['FLOWGATE_SECRET_TEAM__KEY'] = 'not to be seen';
    const lines: string[] = [];
    const note = (line: unknown): void => void lines.push(String(line));
    closing.push(async () => {
      Logger.overrideLogger(false);
      delete process.env['FLOWGATE_SECRET_TEAM__KEY'];
    });
    const access = new AccessInMemory();
    const app = await startHost({
      adapter: 'express',
      flowgate: { auth: { keys: {} }, ...access.options },
      application: { logger: { log: note, warn: note, error: note } },
    });
    closing.push(() => app.close());
    const all = lines.join('\n');
    expect(all).toContain('FLOWGATE_SECRET_TEAM__KEY: each is a secret of the namespace');
    expect(all).not.toContain('not to be seen');
  });
});

describe('workflows that are registered at the start', () => {
  it('are of the namespace that the folder is for', async () => {
    const folder = await temporaryFolder();
    closing.push(() => folder.remove());
    const path = join(folder.path, 'workflows');
    await mkdir(path);
    const child = { id: 'sub', uses: 'builtin.workflow', config: { workflowId: 'child' } };
    await writeFile(join(path, 'parent.yaml'), document('parent', [child]));
    await writeFile(join(path, 'child.yaml'), document('child', [mock('a', 7)]));
    const { service, access } = await serviceWith({
      FLOWGATE_WORKFLOWS_DIR: path,
      FLOWGATE_WORKFLOWS_NAMESPACE: 'billing',
    });
    const headers = access.headersFor('billing', 'operator');
    const run = await service.call('POST', '/workflows/parent/runs', { headers, body: { sync: true } });
    expect(run.body).toMatchObject({ status: 'completed' });
    const elsewhere = await service.call('GET', '/workflows', { headers: access.headersFor('*', 'admin') });
    expect(elsewhere.body.items).toEqual([]);
  });
});

@Injectable()
class Charges {
  @Unit('charge', { namespaces: ['billing'] })
  charge(): string {
    return 'charged';
  }
}

describe('a host that keeps tenants apart', () => {
  it('has workflows and units of its modules in namespaces', async () => {
    const access = new AccessInMemory();
    const yaml = inSequence('w', [{ id: 'a', uses: 'charge' }]);
    const app: INestApplication = await startHost({
      adapter: 'express',
      imports: [
        FlowgateModule.forFeature({ workflows: [yaml], namespace: 'billing' }),
        FlowgateModule.forRoot({ auth: { keys: {} }, ...access.options }),
      ],
      providers: [Charges],
    });
    closing.push(() => app.close());
    const service = serviceOf(app, '/flowgate');
    const headers = access.headersFor('billing', 'admin');
    const run = await service.call('POST', '/workflows/w/runs', { headers, body: { sync: true } });
    expect(run.body).toMatchObject({ status: 'completed', result: { state: { 'output.a': 'charged' } } });
    const other = access.headersFor('shipping', 'admin');
    expect((await service.call('GET', '/workflows', { headers: other })).body.items).toEqual([]);
    const refused = await service.call('POST', '/workflows/from-yaml', { headers: other, body: { yaml } });
    expect(refused).toMatchObject({ status: 400, body: { code: 'yaml-load' } });
    expect(await app.get(Flowgate).list()).toEqual([]);
  });

  it('is not started with a feature of what is no namespace', async () => {
    const started = startHost({
      adapter: 'express',
      imports: [
        FlowgateModule.forFeature({
          workflows: [inSequence('w', [{ id: 'a', uses: 'builtin.mock' }])],
          namespace: 'No',
        }),
        FlowgateModule.forRoot({}),
      ],
    });
    await expect(started).rejects.toThrow('namespace');
  });
});
