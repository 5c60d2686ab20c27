import type { AccessInMemory } from '../../support/access.js';
import { startServiceWithAccess } from '../../support/service-with-access.js';
import type { Service } from '../../support/service.js';

let service: Service;
let access: AccessInMemory;
beforeAll(async () => {
  ({ service, access } = await startServiceWithAccess());
});
afterAll(() => service.close());

const list = (headers: Record<string, string>, namespace?: string) =>
  service.call('GET', '/workflows', {
    headers: { ...headers, ...(namespace === undefined ? {} : { 'flowgate-namespace': namespace }) },
  });
const FOREIGN = (namespace: string) => [
  403,
  {
    error: `Nothing is granted in the namespace ${namespace}: GET /whoami lists the namespaces that are`,
    code: 'forbidden',
  },
];

describe('the namespace of a request', () => {
  it('is the one that it names, if that is granted', async () => {
    const headers = access.headersOf('ada', [
      { namespace: 'billing', roles: ['viewer'] },
      { namespace: 'shipping', roles: ['viewer'] },
    ]);
    for (const namespace of ['billing', 'shipping']) {
      expect((await list(headers, namespace)).status).toBe(200);
    }
  });

  it('is refused alike whether it is there or not', async () => {
    const headers = access.headersFor('billing', 'admin');
    for (const namespace of ['default', 'shipping', 'never-was']) {
      const { status, body } = await list(headers, namespace);
      expect([status, body]).toEqual(FOREIGN(namespace));
    }
  });

  it('is the only one that is granted, where it names none', async () => {
    expect((await list(access.headersFor('billing', 'viewer'))).status).toBe(200);
    // That of the grant, and not the default: where the role may not, the answer says where.
    const { body } = await list(access.headersFor('billing', 'metrics'));
    expect(body.error).toContain('in the namespace billing');
  });

  it('is default, where it names none and several are granted, or all', async () => {
    expect((await list(access.headersFor('*', 'viewer'))).status).toBe(200);
    const several = access.headersOf('ada', [
      { namespace: 'billing', roles: ['viewer'] },
      { namespace: 'shipping', roles: ['viewer'] },
    ]);
    const { status, body } = await list(several);
    expect([status, body]).toEqual(FOREIGN('default'));
  });

  it.each(['', 'a,b', 'billing, billing', 'Billing', '-x', '*', 'x'.repeat(64), 'ä'])(
    '%j is none: 400',
    async (namespace) => {
      const { status, body } = await list(access.headersFor('*', 'admin'), namespace);
      expect([status, body.error]).toEqual([
        400,
        expect.stringContaining('Flowgate-Namespace must be one namespace'),
      ]);
    },
  );

  it('given twice is 400', async () => {
    const { status } = await service.call('GET', '/workflows', {
      headers: { ...access.headersFor('*', 'admin'), 'flowgate-namespace': ['default', 'billing'] },
    });
    expect(status).toBe(400);
  });

  it('grants that are bounded to workflows count as grants in it', async () => {
    const headers = access.headersOf('ada', [
      { namespace: 'billing', roles: ['viewer'], workflows: ['invoice-*'] },
    ]);
    expect((await list(headers)).status).toBe(200);
  });
});
