import { Controller, Get, Inject, Post, UseGuards } from '@nestjs/common';
import type { INestApplication } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import {
  Engine,
  Flowgate,
  FlowgateAuthGuard,
  flowgateAuthGuard,
  FlowgateModule,
  FlowgateNamespace,
  FlowgatePrincipal,
  FlowgateRequires,
  type Principal,
} from '../../../src/index.js';
import { AuthUnavailableError } from '../../../src/errors/access-errors.js';
import { AccessInMemory } from '../../support/access.js';
import { ADAPTERS, startHost, type HostOptions } from '../../support/host.js';
import { serviceOf, type Service } from '../../support/service.js';
import { document, gate } from '../../support/workflow-documents.js';

@Controller('orders')
@UseGuards(FlowgateAuthGuard)
class OrdersController {
  constructor(@Inject(Flowgate) private readonly flowgate: Flowgate) {}

  @Get('me')
  me(@FlowgatePrincipal() { owner, auth }: Principal): object {
    return { owner, auth };
  }

  @Get('runs')
  async runs(@FlowgatePrincipal() principal: Principal): Promise<object> {
    const { items } = await this.flowgate.as(principal).listRuns();
    return { ids: items.map(({ runId }) => runId) };
  }

  @Get('where')
  @FlowgateRequires('run:read')
  where(@FlowgateNamespace() namespace: string): object {
    return { namespace };
  }

  @Post()
  @FlowgateRequires('run:start', 'run:read')
  async place(@FlowgatePrincipal() principal: Principal): Promise<object> {
    const { runId } = await this.flowgate.as(principal).start('order', {}, { sync: true });
    return { runId };
  }
}

@Controller('reports')
@UseGuards(FlowgateAuthGuard)
@FlowgateRequires('audit:read')
class ReportsController {
  @Get()
  @FlowgateRequires('run:read')
  report(): object {
    return {};
  }
}

@Controller('unguarded')
class UnguardedController {
  @Get()
  me(@FlowgatePrincipal() principal: Principal): object {
    return principal;
  }

  @Get('where')
  where(@FlowgateNamespace() namespace: string): object {
    return { namespace };
  }
}

let app: INestApplication | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

describe.each(ADAPTERS)('a controller of a host on %s', (adapter) => {
  let access: AccessInMemory;
  async function start(more: Partial<HostOptions> = {}): Promise<Service> {
    access = new AccessInMemory();
    app = await startHost({
      adapter,
      flowgate: { auth: { keys: {} }, ...access.options },
      controllers: [OrdersController, ReportsController, UnguardedController],
      ...more,
    });
    return serviceOf(app);
  }
  const get = (service: Service, path: string, headers: Record<string, string> = {}) =>
    service.call('GET', path, { headers });

  it('lets in whoever is known, and is given who that is', async () => {
    const service = await start();
    const { status, body } = await get(service, '/orders/me', access.headersFor('default', 'viewer'));
    expect([status, body]).toEqual([200, { owner: 'viewer@default', auth: 'jwt' }]);
    // The key of the start makes keys, and does nothing else.
    const first = access.headersOf('start', [], { auth: 'key' });
    expect((await get(service, '/orders/me', first)).status).toBe(403);
  });

  it('refuses as the routes of Flowgate do: 401, 403 and 503, with the same bodies and headers', async () => {
    const service = await start();
    const flowgate = serviceOf(app!, '/flowgate');
    const pairs = async (path: string, ours: string, headers: Record<string, string> = {}) =>
      Promise.all([get(service, path, headers), get(flowgate, ours, headers)]);
    for (const headers of [{}, { authorization: 'Bearer nobody' }]) {
      const [own, ours] = await pairs('/orders/me', '/workflows', headers);
      expect([own.status, own.body]).toEqual([401, ours.body]);
      expect(own.headers['www-authenticate']).toBe(ours.headers['www-authenticate']);
    }
    const viewer = access.headersFor('billing', 'viewer');
    const placed = await service.post('/orders', {}, viewer);
    const ours = await flowgate.post('/workflows/order/runs', {}, viewer);
    expect([placed.status, placed.body]).toEqual([403, ours.body]);
    const elsewhere = { ...access.headersFor('billing', 'operator'), 'flowgate-namespace': 'sales' };
    expect((await service.post('/orders', {}, elsewhere)).body).toEqual(
      (await flowgate.post('/workflows/order/runs', {}, elsewhere)).body,
    );
    access.trouble = new AuthUnavailableError('Who is asking');
    const [own, unavailable] = await pairs('/orders/me', '/workflows', viewer);
    expect([own.status, own.body]).toEqual([503, unavailable.body]);
  });

  it('is given the namespace of the request, and never one that is not granted', async () => {
    const service = await start();
    const where = async (headers: Record<string, string>, named?: string) => {
      const more = named === undefined ? {} : { 'flowgate-namespace': named };
      const { status, body } = await get(service, '/orders/where', { ...headers, ...more });
      return status === 200 ? body.namespace : status;
    };
    const [billing, admin] = [access.headersFor('billing', 'viewer'), access.headersFor('*', 'admin')];
    expect([await where(billing), await where(billing, 'billing')]).toEqual(['billing', 'billing']);
    expect(await where(billing, 'sales')).toBe(403);
    expect([await where(admin), await where(admin, 'sales')]).toEqual(['default', 'sales']);
  });

  it('needs what its class and its method name, both', async () => {
    const service = await start();
    const status = async (...roles: readonly string[]): Promise<number> =>
      (await get(service, '/reports', access.headersFor('default', ...roles))).status;
    expect([await status('viewer'), await status('metrics'), await status('auditor')]).toEqual([
      403, 403, 200,
    ]);
  });

  it('acts as that person: within what is granted, in their name, in their namespace', async () => {
    const service = await start();
    const flowgate = serviceOf(app!, '/flowgate');
    const admin = { ...access.headersFor('*', 'admin'), 'flowgate-namespace': 'billing' };
    const yaml = document('order', [gate('agree')]);
    expect((await flowgate.post('/workflows/from-yaml', { yaml }, admin)).status).toBe(201);
    const placed = await service.post('/orders', {}, access.headersFor('billing', 'operator'));
    expect(placed.status).toBe(201);
    const { runId } = placed.body as { readonly runId: string };
    const seen = async (namespace: string): Promise<unknown> =>
      (await get(service, '/orders/runs', access.headersFor(namespace, 'viewer'))).body.ids;
    expect([await seen('billing'), await seen('sales')]).toEqual([[runId], []]);
    const run = { workflowId: 'order', runId, namespace: 'billing' };
    expect(await app!.get(Engine).runs.startedBy(run)).toEqual({
      id: 'operator@billing-1',
      owner: 'operator@billing',
      via: 'in-process',
      auth: 'jwt',
    });
    expect((await app!.get(Flowgate).listRuns()).items).toEqual([]);
  });

  it('may have the guard for all of the host, and Flowgate asks by its own', async () => {
    const service = await start({
      providers: [{ provide: APP_GUARD, useClass: FlowgateAuthGuard } as never],
    });
    const flowgate = serviceOf(app!, '/flowgate');
    expect((await get(service, '/unguarded')).status).toBe(401);
    const viewer = access.headersFor('default', 'viewer');
    expect((await get(service, '/unguarded', viewer)).body).toMatchObject({ owner: 'viewer@default' });
    expect((await flowgate.get('/health')).status).toBe(200);
    expect((await flowgate.get('/workflows')).status).toBe(401);
    expect((await get(flowgate, '/workflows', viewer)).status).toBe(200);
  });

  it('is given nobody where the guard is missing', async () => {
    const service = await start();
    for (const path of ['/unguarded', '/unguarded/where'])
      expect((await get(service, path, access.headersFor('default', 'viewer'))).status).toBe(500);
  });

  it('is guarded by the instance that is named', async () => {
    @Controller('reports')
    @UseGuards(flowgateAuthGuard('reports'))
    class NamedController {
      @Get()
      me(@FlowgatePrincipal() { owner }: Principal): object {
        return { owner };
      }
    }
    const [first, second] = [new AccessInMemory(), new AccessInMemory()];
    const service = await start({
      controllers: [OrdersController, NamedController],
      imports: [
        FlowgateModule.forRoot({ auth: { keys: {} }, ...first.options }),
        FlowgateModule.forRoot({ name: 'reports', prefix: 'other', auth: { keys: {} }, ...second.options }),
      ],
    });
    const [ofFirst, ofSecond] = [first, second].map((one) => one.headersFor('default', 'viewer'));
    expect((await get(service, '/orders/me', ofFirst)).status).toBe(200);
    expect((await get(service, '/orders/me', ofSecond)).status).toBe(401);
    expect((await get(service, '/reports', ofFirst)).status).toBe(401);
    expect((await get(service, '/reports', ofSecond)).status).toBe(200);
  });

  it('does not start where nobody is asked who they are', async () => {
    const failed = start({ flowgate: {} });
    await expect(failed).rejects.toThrow('give FlowgateModule the option auth');
  });
});
