import { Controller, ForbiddenException, Get, Injectable, type CanActivate } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { INestApplication } from '@nestjs/common';
import { AccessInMemory } from '../../support/access.js';
import { ADAPTERS, startHost } from '../../support/host.js';
import { serviceOf, type Service } from '../../support/service.js';
import { document, mock } from '../../support/workflow-documents.js';

@Controller('orders')
class OrdersController {
  @Get()
  list(): readonly string[] {
    return [];
  }
}

@Injectable()
class ClosedGuard implements CanActivate {
  canActivate(): boolean {
    throw new ForbiddenException('the host is closed');
  }
}

let app: INestApplication | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

describe.each(ADAPTERS)('a host on %s', (adapter) => {
  const access = new AccessInMemory();
  const admin = access.headersFor('*', 'admin');
  const start = async (
    auth: object | null = { keys: {} },
    providers: readonly object[] = [],
  ): Promise<Service> => {
    app = await startHost({
      adapter,
      flowgate: { auth, ...access.options },
      controllers: [OrdersController],
      providers: providers as never,
    });
    return serviceOf(app, '/flowgate');
  };

  it('lets in who is known and may, and nobody else, before a body is read', async () => {
    const service = await start();
    for (const [method, path] of [
      ['GET', '/workflows'],
      ['POST', '/workflows/from-yaml'],
      ['POST', '/mcp'],
      ['GET', '/metrics'],
      ['GET', '/keys'],
    ] as const) {
      const body = method === 'POST' ? { body: '{' } : {};
      const { status, headers, body: said } = await service.call(method, path, body);
      expect([path, status, said?.code]).toEqual([path, 401, 'unauthorized']);
      expect(headers['www-authenticate']).toBe('Bearer');
    }
    const viewer = access.headersFor('default', 'viewer');
    const forbidden = await service.post('/workflows/x/runs', '{', viewer);
    expect([forbidden.status, forbidden.body.details]).toEqual([403, [{ permission: 'run:start' }]]);
    const foreign = { ...viewer, 'flowgate-namespace': 'billing' };
    expect((await service.call('GET', '/workflows', { headers: foreign })).status).toBe(403);
    const yaml = document('plain', [mock('a')]);
    expect((await service.post('/workflows/from-yaml', { yaml }, admin)).status).toBe(201);
    const { body } = await service.call('GET', '/whoami', { headers: admin });
    expect(body).toMatchObject({ auth: 'jwt', owner: 'admin@*' });
    const key = await service.post('/keys', {}, admin);
    expect([key.status, key.headers['cache-control']]).toEqual([201, 'no-store']);
  });

  it('has open what is open, and keeps what is its own', async () => {
    const service = await start();
    for (const path of ['/health', '/health/live', '/schemas/workflow.v1.json'])
      expect([path, (await service.get(path)).status]).toEqual([path, 200]);
    const own = serviceOf(app!);
    expect((await own.get('/orders')).status).toBe(200);
    expect((await service.get('/nowhere')).status).toBe(404);
    expect((await own.get('/nowhere')).status).toBe(404);
  });

  it('asks after its own guards', async () => {
    const service = await start({ keys: {} }, [{ provide: APP_GUARD, useClass: ClosedGuard }]);
    const before = access.asked;
    const { status, text } = await service.get('/workflows');
    expect([status, text]).toEqual([403, expect.stringContaining('the host is closed')]);
    expect(access.asked).toBe(before);
  });

  it('asks nobody without the option, and has no routes of keys then', async () => {
    for (const auth of [null, undefined]) {
      const service = await start(auth ?? null);
      expect((await service.get('/workflows')).status).toBe(200);
      expect((await service.get('/whoami')).body.auth).toBe('none');
      for (const path of ['/keys', '/owners/x/revoke'])
        expect((await service.call(path === '/keys' ? 'GET' : 'POST', path)).status).toBe(404);
      await app?.close();
      app = undefined;
    }
  });
});

it('a host that names an actor as well does not start', async () => {
  const flowgate = { auth: { keys: {} }, actor: () => 'ada', ...new AccessInMemory().options };
  await expect(startHost({ adapter: 'express', flowgate })).rejects.toThrow('leave out actor');
});

it('a host that nobody could get into does not start', async () => {
  const access = new AccessInMemory();
  access.open = () => Promise.reject(new Error('nobody could get in'));
  const flowgate = { auth: { keys: {} }, ...access.options };
  await expect(startHost({ adapter: 'express', flowgate })).rejects.toThrow('nobody could get in');
});
