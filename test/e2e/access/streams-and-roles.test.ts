import { BUILT_IN_ROLES } from '../../../src/engine/index.js';
import type { Permission } from '../../../src/engine/vocabulary.js';
import type { AccessInMemory } from '../../support/access.js';
import { watch } from '../../support/event-stream.js';
import { startServiceWithAccess } from '../../support/service-with-access.js';
import type { Body, Service } from '../../support/service.js';
import { document, gate } from '../../support/workflow-documents.js';

/** The routes that stream where a client accepts that, what each needs, and what its first frame is: null, none by itself. */
const STREAMS: Readonly<
  Record<string, { readonly needs: Permission; readonly first: string | null; readonly isOfRun?: true }>
> = {
  'GET /runs': { needs: 'run:read', first: 'snapshot' },
  'GET /workflows/{id}/runs': { needs: 'run:read', first: 'snapshot' },
  'GET /gates': { needs: 'gate:read', first: 'snapshot' },
  'GET /events': { needs: 'run:read', first: null },
  'GET /audit': { needs: 'audit:read', first: null },
  'GET /workflows/{id}/runs/{runId}/events': { needs: 'run:read', first: 'run.started', isOfRun: true },
};
const ROLES = [...BUILT_IN_ROLES.keys()];

let service: Service;
let access: AccessInMemory;
let runId = '';
beforeAll(async () => {
  ({ service, access } = await startServiceWithAccess());
  const admin = access.headersFor('*', 'admin');
  await service.post('/workflows/from-yaml', { yaml: document('w', [gate('agree')]) }, admin);
  runId = (await service.post('/workflows/w/runs', { sync: true }, admin)).body.runId as string;
});
afterAll(() => service.close());

const asked = (route: string, headers: Record<string, string>) => {
  const path = route.replace('GET ', '').replace('{id}', 'w').replace('{runId}', runId);
  return watch(service.url + path, { headers });
};

it('each route that streams has a row here', async () => {
  const { paths } = (await service.get('/openapi.json')).body as Body;
  const streaming = Object.entries(paths as Record<string, Record<string, Body>>).flatMap(
    ([path, operations]) =>
      Object.entries(operations)
        .filter(([, { responses }]) => JSON.stringify(responses).includes('text/event-stream'))
        .map(([method]) => `${method.toUpperCase()} ${path}`)
        // It is what its session is (mcp.test.ts).
        .filter((route) => route !== 'GET /mcp'),
  );
  expect(streaming.sort()).toEqual(Object.keys(STREAMS).sort());
});

describe.each(Object.entries(STREAMS))('%s as a stream', (route, { needs, first, isOfRun }) => {
  it.each(ROLES)('is for the role %s if it has the permission, else 403 before it begins', async (role) => {
    const stream = await asked(route, access.headersFor('default', role));
    if (BUILT_IN_ROLES.get(role)?.includes(needs) === true) {
      expect([stream.status, stream.headers['content-type']]).toEqual([
        200,
        expect.stringContaining('text/event-stream'),
      ]);
      if (first !== null) await stream.until((events) => events.length > 0);
      expect(stream.events[0]?.event ?? null).toBe(first);
      stream.leave();
      return;
    }
    await stream.over;
    expect([stream.status, JSON.parse(stream.text())]).toEqual([
      403,
      { code: 'forbidden', error: expect.stringContaining(needs), details: [{ permission: needs }] },
    ]);
  });

  it.each<[string, () => Record<string, string>]>([
    ['nobody', () => ({})],
    ['a key of nobody', () => ({ authorization: `Bearer fgk_${'a'.repeat(16)}_${'a'.repeat(43)}` })],
  ])('is 401 for %s', async (_who, headers) => {
    const stream = await asked(route, headers());
    await stream.over;
    expect([stream.status, stream.headers['www-authenticate'], JSON.parse(stream.text()).code]).toEqual([
      401,
      'Bearer',
      'unauthorized',
    ]);
  });

  it('is 403 in a namespace that is not granted, and shows nothing of a workflow that is hidden', async () => {
    const elsewhere = { ...access.headersFor('default', 'admin'), 'flowgate-namespace': 'other' };
    const refused = await asked(route, elsewhere);
    await refused.over;
    expect([refused.status, JSON.parse(refused.text()).code]).toEqual([403, 'forbidden']);
    const grants = [{ namespace: 'default', roles: ['admin'], workflows: ['v*'] }];
    const scoped = await asked(route, access.headersOf('eve', grants));
    if (isOfRun === true || route.includes('{id}')) await scoped.over;
    else if (first !== null) await scoped.until((events) => events.length > 0);
    expect(scoped.text()).not.toMatch(/"items":\[\{|run\.started/);
    scoped.leave();
  });
});
