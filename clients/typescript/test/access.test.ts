import { createHash } from 'node:crypto';
import { FlowgateApiError, FlowgateClient, type FlowgateClientOptions, type MadeKey } from 'flowgate-client';
import { startService, type Service } from '../../../test/support/service.js';
import { document, gate } from '../../../test/support/workflow-documents.js';
import { inProcess } from './support/modes.js';

const BOOTSTRAP = 'what-somebody-made-up-to-begin-with-and-no-more';

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}
const refusal = (promise: Promise<unknown>): Promise<FlowgateApiError> =>
  promise.then(
    () => Promise.reject(new Error('It was not refused.')),
    (error: unknown) => error as FlowgateApiError,
  );

describe('a client of a service that asks who is asking', () => {
  let service: Service;
  let admin: MadeKey;
  const clientOf = (options: FlowgateClientOptions) =>
    new FlowgateClient({ baseUrl: service.url, retries: 0, ...options });

  beforeAll(async () => {
    service = await startService({
      FLOWGATE_AUTH: 'keys',
      FLOWGATE_BOOTSTRAP_KEY_SHA256: createHash('sha256').update(BOOTSTRAP).digest('hex'),
    });
    admin = await clientOf({ token: BOOTSTRAP }).makeKey({
      owner: 'ada@example.com',
      name: 'first',
      grants: [{ namespace: '*', roles: ['admin'] }],
    });
  });
  afterAll(() => service.close());

  it('is told who it is, and what it may', async () => {
    const me = await clientOf({ token: admin.secret }).whoami();
    expect(me).toMatchObject({ auth: 'key', owner: 'ada@example.com', name: 'first', groups: [] });
    expect(me.grants[0]).toMatchObject({ namespace: '*', workflows: null });
    expect(me.grants[0]?.permissions).toContain('key:manage');
  });

  it('makes keys that may less, finds them, gives them other secrets and revokes them', async () => {
    const client = clientOf({ token: admin.secret });
    const { key, secret } = await client.makeKey({
      owner: 'ci@example.com',
      grants: [{ namespace: 'billing', roles: ['operator'], workflows: ['invoice-*'] }],
      expiresAt: new Date(Date.now() + 3_600_000),
    });
    expect(key).toMatchObject({ owner: 'ci@example.com', madeBy: 'ada@example.com', revokedAt: null });
    expect(secret).toContain(key.id);
    const ids = (await all(client.eachKey({ limit: 1 }))).map(({ id }) => id);
    expect(ids).toEqual([key.id, admin.key.id]);
    expect((await client.listKeys({ owner: 'ci@example.com' })).items).toMatchObject([{ id: key.id }]);

    const rotated = await client.rotateKey(key.id);
    expect(await refusal(clientOf({ token: secret }).whoami())).toMatchObject({ status: 401 });
    expect((await clientOf({ token: rotated.secret }).whoami()).owner).toBe('ci@example.com');

    await client.revokeKey(key.id);
    expect(await refusal(clientOf({ token: rotated.secret }).whoami())).toMatchObject({ status: 401 });
    expect(await refusal(client.revokeKey('nobody'))).toMatchObject({ status: 404, code: 'unknown-key' });
  });

  it('ends all that an owner has', async () => {
    const client = clientOf({ token: admin.secret });
    const grants = [{ namespace: 'billing', roles: ['viewer'] }];
    const made = await client.makeKey({ owner: 'eve@example.com', grants });
    await client.revokeOwner('eve@example.com');
    expect(await refusal(clientOf({ token: made.secret }).whoami())).toMatchObject({ status: 401 });
  });

  it('works in the namespace that it names', async () => {
    const billing = clientOf({ token: admin.secret, namespace: 'billing' });
    await billing.loadAndRegister(document('invoice', [gate('agree')]));
    expect(await billing.listWorkflows()).toMatchObject([{ workflowId: 'invoice' }]);
    expect(await clientOf({ token: admin.secret }).listWorkflows()).toEqual([]);
  });

  it('is refused what it may not, with the permission that is missing', async () => {
    const made = await clientOf({ token: admin.secret }).makeKey({
      grants: [{ namespace: 'billing', roles: ['viewer'] }],
    });
    const error = await refusal(clientOf({ token: made.secret }).startWorkflow('invoice'));
    expect(error).toMatchObject({ status: 403, code: 'forbidden', details: [{ permission: 'run:start' }] });
  });

  it('goes on with another key once the one that it has was revoked', async () => {
    const manager = clientOf({ token: admin.secret });
    const grants = [{ namespace: 'billing', roles: ['viewer'] }];
    const keys = [await manager.makeKey({ grants }), await manager.makeKey({ grants })] as const;
    const secrets = keys.map(({ secret }) => secret);
    const client = clientOf({ token: () => Promise.resolve(secrets.shift() ?? '') });
    expect((await client.whoami()).id).toContain(keys[0].key.id);
    await manager.revokeKey(keys[0].key.id);
    expect((await client.whoami()).id).toContain(keys[1].key.id);
  });

  it.each([
    [
      'makeKey',
      () => clientOf({ token: admin.secret }).makeKey({ grant: [] } as object),
      'grant is no option',
    ],
    ['rotateKey', () => clientOf({}).rotateKey('k', { overlapMs: -1 }), 'overlapMs must be'],
    ['revokeOwner', () => clientOf({}).revokeOwner(''), 'owner must be'],
    ['listAudit', () => clientOf({}).listAudit({ runid: 'r' } as object), 'runid is no option'],
    ['listAudit', () => clientOf({}).listAudit({ after: 'soon' }), 'after must be epoch ms'],
    ['listKeys', () => clientOf({}).listKeys({ limit: 0 }), 'limit must be'],
  ])('refuses what cannot be meant before anybody is asked: %s', async (_name, call, message) => {
    const error = await refusal(call());
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toContain(message);
  });

  it('reads who did what, to keys and in runs, as far as it may', async () => {
    const client = clientOf({ token: admin.secret, namespace: 'audited' });
    const made = await client.makeKey({
      owner: 'eve@example.com',
      grants: [{ namespace: 'audited', roles: ['viewer'] }],
    });
    await client.loadAndRegister(document('told', [gate('agree')]));
    const { runId } = await client.startWorkflow('told');
    await client.cancel('told', runId);
    const told = await all(client.eachAct({ owner: 'ada@example.com', action: 'key.make' }));
    expect(told.map(({ target }) => target)).toContain(made.key.id);
    expect(JSON.stringify(told)).not.toContain(made.secret);
    // What is done to runs is told by their logs, a moment later.
    let acts: readonly string[] = [];
    for (const giveUpAt = Date.now() + 60_000; acts.length < 2 && Date.now() < giveUpAt;) {
      const { items } = await client.listAudit({ runId });
      acts = items.map(({ action, by }) => `${action} by ${by?.owner}`);
    }
    expect(acts).toContain('run.start by ada@example.com');
    expect(acts).toContain('run.cancel by ada@example.com');
    const viewer = clientOf({ token: made.secret });
    expect(await refusal(viewer.listAudit())).toMatchObject({ status: 403, code: 'forbidden' });
  }, 90_000);
});

describe('where nobody is asked', () => {
  it('is the same person over HTTP and in process, who may do all that there is', async () => {
    const service = await startService();
    const [remote, own] = [new FlowgateClient({ baseUrl: service.url }), await inProcess()];
    expect(await remote.whoami()).toEqual(await own.client.whoami());
    await own.close();
    await service.close();
  });

  it('there are no keys, and there is no audit', async () => {
    const service = await startService();
    const [remote, own] = [new FlowgateClient({ baseUrl: service.url }), await inProcess()];
    for (const client of [remote, own.client]) {
      for (const call of [
        () => client.makeKey(),
        () => client.listKeys(),
        () => client.rotateKey('k'),
        () => client.revokeKey('k'),
        () => client.revokeOwner('ann'),
        () => client.listAudit(),
      ])
        expect(await refusal(call())).toMatchObject({ status: 404, code: 'not-found' });
    }
    await own.close();
    await service.close();
  });
});
