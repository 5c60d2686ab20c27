import { BUILT_IN_ROLES } from '../../../src/engine/index.js';
import { routesOf } from '../../docs/support/routes.js';
import type { AccessInMemory } from '../../support/access.js';
import { startServiceWithAccess } from '../../support/service-with-access.js';
import type { Service } from '../../support/service.js';
import { ROUTES } from './support/routes-of-access.js';

let service: Service;
let access: AccessInMemory;
beforeAll(async () => {
  ({ service, access } = await startServiceWithAccess());
});
afterAll(() => service.close());

const ask = (route: string, headers: Record<string, string>) => {
  const [method = '', path = ''] = route.split(' ');
  // A body that is read is refused with 400: it is not read where the answer is 403.
  const body = method === 'POST' ? '{' : undefined;
  return service.call(method, path.replaceAll(/:\w+/g, 'x'), {
    headers,
    ...(body === undefined ? {} : { body }),
  });
};

it('every route of the service says who may call it, and has a row here', () => {
  expect(Object.keys(ROUTES).toSorted()).toEqual(routesOf(service).toSorted());
});

const roles = [...BUILT_IN_ROLES.keys()];
const guarded = Object.entries(ROUTES).flatMap(([route, needs]) =>
  typeof needs === 'string' ? [] : [{ route, needs }],
);

describe.each(guarded)('$route', ({ route, needs }) => {
  const everywhere = needs[0] === '*';
  const permissions = needs.filter((one) => one !== '*');

  it.each(roles)(
    'is for the role %s if the role has all that it needs, else 403 that says what',
    async (role) => {
      const has = BUILT_IN_ROLES.get(role) ?? [];
      const missing = permissions.find((permission) => !has.includes(permission));
      const { status, body } = await ask(route, access.headersFor(everywhere ? '*' : 'default', role));
      if (missing === undefined) {
        expect([401, 403]).not.toContain(status);
        return;
      }
      expect([status, body]).toEqual([
        403,
        { error: expect.stringContaining(missing), code: 'forbidden', details: [{ permission: missing }] },
      ]);
    },
  );

  it('is not for whoever has nothing there', async () => {
    const { status, body } = await ask(route, access.headersOf('nobody', []));
    expect([status, body.code]).toEqual([403, 'forbidden']);
  });

  it('comes before the call of a unit is refused', async () => {
    const headers = { ...access.headersOf('nobody', []), 'x-flowgate-run-id': '7' };
    expect((await ask(route, headers)).body.code).toBe('forbidden');
  });
});

it('what is of no namespace needs a grant in all of them', async () => {
  for (const route of ['GET /metrics', 'POST /owners/:owner/revoke']) {
    const { status, body } = await ask(route, access.headersFor('default', 'admin'));
    expect([route, status, body.error]).toEqual([
      route,
      403,
      expect.stringContaining('in all namespaces (*)'),
    ]);
  }
});

it('metrics are open where the setting says so', async () => {
  const { service: own } = await startServiceWithAccess({ FLOWGATE_METRICS_PUBLIC: 'true' });
  expect((await own.get('/metrics')).status).toBe(200);
  expect((await own.get('/workflows')).status).toBe(401);
  await own.close();
});

it('health does not name workflows to everyone', async () => {
  const { status, body } = await service.get('/health');
  expect([status, body.ok, 'workflows' in body]).toEqual([200, true, false]);
});

describe('a policy', () => {
  it.each([
    [
      'that throws',
      () => {
        throw new Error('down');
      },
    ],
    ['that rejects', () => Promise.reject(new Error('down'))],
    ['that gives no answer', () => new Promise<boolean>(() => {})],
  ])('%s is 503, never a yes', async (_how, check) => {
    const own = await startServiceWithAccess({}, { check, scope: () => 'all' });
    const headers = own.access.headersFor('default', 'admin');
    for (const path of ['/workflows', '/workflows/x/runs']) {
      const method = path === '/workflows' ? 'GET' : 'POST';
      const { status, body } = await own.service.call(method, path, { headers });
      expect([status, body.code]).toEqual([503, 'auth-unavailable']);
    }
    await own.service.close();
  });

  it('that answers later is waited for', async () => {
    const check = () => new Promise<boolean>((resolve) => setImmediate(() => resolve(true)));
    const own = await startServiceWithAccess({}, { check, scope: () => 'all' });
    const headers = own.access.headersFor('default', 'viewer');
    expect((await own.service.call('GET', '/workflows', { headers })).status).toBe(200);
    await own.service.close();
  });
});
