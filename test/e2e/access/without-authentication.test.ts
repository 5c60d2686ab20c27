import { startService, type Service } from '../../support/service.js';
import { document, mock } from '../../support/workflow-documents.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
  await service.register(document('plain', [mock('a')]));
});
afterAll(() => service.close());

describe('where nobody is asked who they are', () => {
  it.each(['Bearer nonsense', 'Basic dTpw', 'fgk_', ''])(
    '%j as Authorization is ignored',
    async (authorization) => {
      expect((await service.call('GET', '/workflows', { headers: { authorization } })).status).toBe(200);
      const started = await service.post('/workflows/plain/runs', {}, { authorization });
      expect(started.status).toBe(202);
    },
  );

  it('GET /whoami says so', async () => {
    const { status, body } = await service.get('/whoami');
    expect([status, body]).toEqual([
      200,
      {
        auth: 'none',
        id: 'user',
        owner: null,
        name: null,
        groups: [],
        expiresAt: null,
        grants: [{ namespace: 'default', permissions: expect.any(Array), workflows: null }],
      },
    ]);
    expect(body.grants[0].permissions).toContain('run:start');
    expect(body.grants[0].permissions).not.toContain('key:manage');
  });

  it.each([
    ['GET', '/keys'],
    ['POST', '/keys'],
    ['POST', '/keys/x/rotate'],
    ['DELETE', '/keys/x'],
    ['POST', '/owners/x/revoke'],
    ['GET', '/audit'],
    ['POST', '/audit'],
    ['PUT', '/keys'],
    ['GET', '/owners/x/revoke'],
    ['GET', '/owners'],
  ])('nothing is at %s %s', async (method, path) => {
    const { status, body, headers } = await service.call(method, path);
    expect([status, body]).toMatchObject([
      404,
      { error: `Nothing is at ${method} ${path}`, code: 'not-found' },
    ]);
    expect(body.detail ?? '').not.toMatch(/keys|owners|audit/);
    expect(headers).not.toHaveProperty('allow');
  });

  it('no route of keys is named for one that is not there', async () => {
    for (const path of ['/key', '/keyz', '/owners/ada', '/owner/ada/revoke']) {
      const { status, body } = await service.get(path);
      expect([status, body.code]).toEqual([404, 'not-found']);
      expect(body.detail ?? '').not.toMatch(/keys|owners/);
    }
  });

  it('another namespace than default is 403, wherever something is of a namespace', async () => {
    for (const namespace of ['billing', 'NO SUCH', 'default,default']) {
      for (const [method, path] of [
        ['GET', '/workflows'],
        ['POST', '/workflows/nowhere/runs'],
        ['POST', '/mcp'],
        ['GET', '/whoami'],
      ] as const) {
        const { status, body } = await service.call(method, path, {
          headers: { 'flowgate-namespace': namespace },
        });
        expect([path, status, body.code]).toEqual([path, 403, 'forbidden']);
      }
    }
    const headers = { 'flowgate-namespace': 'default' };
    expect((await service.call('GET', '/workflows', { headers })).status).toBe(200);
  });

  it('unknown routes and methods are told apart as ever', async () => {
    expect((await service.get('/nowhere')).status).toBe(404);
    expect((await service.call('PUT', '/workflows')).headers.allow).toBe('GET, HEAD');
  });
});
