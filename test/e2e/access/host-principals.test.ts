import {
  HttpException,
  Injectable,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { HostPrincipal, HostRequest, NamePrincipal } from '../../../src/index.js';
import { ADAPTERS, startHost } from '../../support/host.js';
import { watch } from '../../support/event-stream.js';
import { serviceOf, type Service } from '../../support/service.js';
import { document, gate } from '../../support/workflow-documents.js';

/** As a guard of passport leaves it: the request has a user. */
type WithUser = HostRequest & { user?: string };

@Injectable()
class SessionGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<WithUser>();
    const session = request.headers['x-session']?.toString();
    if (session === 'broken') throw new UnauthorizedException('no such session');
    if (session !== undefined) request.user = session;
    return true;
  }
}

const grantsOf = (role: string) => [{ namespace: 'default', roles: [role] }];
const users = new Map<string, HostPrincipal>();
beforeEach(() => {
  users.clear();
  users.set('ann', { owner: 'ann', grants: grantsOf('admin') });
  users.set('bob', { owner: 'bob', grants: grantsOf('viewer') });
});

let app: INestApplication | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

describe.each(ADAPTERS)('a host on %s that says who is asking', (adapter) => {
  let asked: string[];
  const start = async (): Promise<Service> => {
    asked = [];
    const principal: NamePrincipal = async (request: WithUser) => {
      asked.push(request.url);
      if (request.user === 'limited') throw new HttpException('slow down', 429);
      if (request.user === 'faulty') throw new Error('the directory is down');
      return users.get(request.user ?? '');
    };
    app = await startHost({
      adapter,
      flowgate: { auth: { principal } },
      providers: [{ provide: APP_GUARD, useClass: SessionGuard }] as never,
    });
    return serviceOf(app, '/flowgate');
  };
  const as = (session: string) => ({ 'x-session': session });

  it('is asked after its own guards, at reads, too, and its answer is what counts', async () => {
    const service = await start();
    const get = (path: string, headers: Record<string, string> = {}) =>
      service.call('GET', path, { headers });
    const nobody = await get('/workflows');
    expect([nobody.status, nobody.body.code, nobody.headers['www-authenticate']]).toEqual([
      401,
      'unauthorized',
      'Bearer',
    ]);
    expect((await get('/workflows', as('eve'))).status).toBe(401);
    const before = asked.length;
    const broken = await get('/workflows', as('broken'));
    expect([broken.status, broken.text]).toEqual([401, expect.stringContaining('no such session')]);
    expect(asked.length).toBe(before);
    const yaml = document('gated', [gate('agree')]);
    expect((await service.post('/workflows/from-yaml', { yaml }, as('bob'))).status).toBe(403);
    expect((await service.post('/workflows/from-yaml', { yaml }, as('ann'))).status).toBe(201);
    const { runId } = (await service.post('/workflows/gated/runs', { sync: true }, as('ann'))).body;
    expect((await get(`/workflows/gated/runs/${runId}`, as('bob'))).status).toBe(200);
    const decision = { approved: true, responder: 'eve' };
    const decided = await service.post(`/workflows/gated/runs/${runId}/hitl`, decision, as('ann'));
    expect([decided.status, decided.body.status]).toEqual([200, 'completed']);
    const { text } = await get(`/workflows/gated/runs/${runId}/events`, as('bob'));
    expect([text.includes('"ann"'), text.includes('eve')]).toEqual([true, false]);
    expect((await get('/whoami', as('bob'))).body).toMatchObject({ auth: 'host', id: 'bob', owner: 'bob' });
    expect((await get('/health/live')).status).toBe(200);
  });

  it('has its own statuses, and 503 for what it does not foresee, also at the gateway', async () => {
    const service = await start();
    for (const path of ['/workflows', '/mcp']) {
      const call = (session: string) =>
        service.call('POST', path === '/mcp' ? path : '/workflows/from-yaml', {
          headers: as(session),
          body: '{',
        });
      expect([path, (await call('limited')).status]).toEqual([path, 429]);
      const faulty = await call('faulty');
      expect([path, faulty.status, faulty.body.code]).toEqual([path, 503, 'auth-unavailable']);
      expect(faulty.text).not.toContain('directory');
    }
  });

  it('has no keys, and nothing to revoke', async () => {
    const service = await start();
    users.set('root', { owner: 'root', grants: [{ namespace: '*', roles: ['admin'] }] });
    expect((await service.call('GET', '/keys', { headers: as('root') })).status).toBe(404);
    expect((await service.post('/owners/bob/revoke', undefined, as('root'))).status).toBe(404);
  });

  it('is asked again for each open stream, which ends when it says no', async () => {
    const service = await start();
    const [mine, other] = await Promise.all(
      ['bob', 'ann'].map((session) => watch(`${service.url}/events`, { headers: as(session) })),
    );
    users.delete('bob');
    await mine!.over;
    expect(mine!.text()).toContain('event: end\ndata: {"status":"unauthorized"}\n\n');
    expect(other!.text()).not.toContain('event: end');
    other!.leave();
  });
});

const nobody: NamePrincipal = () => null;
it.each([
  ['actor', { auth: { principal: nobody }, actor: () => 'ada' }, 'leave out actor'],
  ['keys', { auth: { principal: nobody, keys: {} } }, 'leave those out'],
])('a host that says who is asking, beside %s, does not start', async (_what, flowgate, said) => {
  await expect(startHost({ adapter: 'express', flowgate })).rejects.toThrow(said);
});
