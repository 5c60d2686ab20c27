import { createEngine } from '../../engine/index.js';
import type { EdgeRequest } from '../edge-request.js';
import { setAuthenticated } from './authenticated.js';
import { RequestContexts } from './request-contexts.js';

const request = (headers: object = {}): EdgeRequest =>
  ({ url: '/', headers, socket: { remoteAddress: '127.0.0.1' } }) as unknown as EdgeRequest;
const principal = {
  id: 'key-7',
  owner: 'ann',
  groups: [],
  grants: [{ namespace: 'acme', roles: ['viewer'] }],
  auth: 'key',
  expiresAt: null,
} as const;

function authenticated(): EdgeRequest {
  const known = request({ 'idempotency-key': 'k' });
  setAuthenticated(known, { principal, namespace: 'acme' });
  return known;
}

describe('the context of an authenticated request', () => {
  it('acts as the principal in the namespace, and uses the share of the account there', async () => {
    const contexts = new RequestContexts({}, createEngine(), null);
    const { engine, ...context } = await contexts.of(authenticated());
    expect(context).toEqual({ via: 'http', idempotencyKey: 'k', caller: 'namespace acme\nowner ann' });
    expect([engine.namespace, engine.actor]).toEqual([
      'acme',
      { id: 'key-7', owner: 'ann', via: 'http', auth: 'key' },
    ]);
    expect([await engine.may('run:read'), await engine.may('run:start')]).toEqual([true, false]);
    expect(await contexts.ofSharing(authenticated())).toMatchObject({ caller: 'namespace acme\nowner ann' });
    expect(contexts.ofReading(authenticated()).engine.actor?.owner).toBe('ann');
    expect((await contexts.of(authenticated(), 'mcp')).engine.actor?.via).toBe('mcp');
  });

  it('is not the one of whom a host names', async () => {
    const actor = () => {
      throw new Error('nobody asks');
    };
    const contexts = new RequestContexts({ actor }, createEngine(), null);
    expect(await contexts.of(authenticated())).not.toHaveProperty('principal');
  });
});

describe('a request that nobody authenticated', () => {
  it('acts as anybody in the namespace default', async () => {
    const contexts = new RequestContexts({}, createEngine(), null);
    const { engine, caller } = await contexts.of(request());
    expect([engine.namespace, engine.actor, caller]).toEqual(['default', null, 'address 127.0.0.1']);
  });

  it('has no context where requests have to be authenticated, whichever guard was forgotten', async () => {
    const contexts = new RequestContexts({}, createEngine(), {});
    const refused = expect.objectContaining({ code: 'unauthorized' }) as Error;
    expect(() => contexts.of(request())).toThrow(refused);
    expect(() => contexts.ofReading(request())).toThrow(refused);
    await expect(contexts.ofSharing(request())).rejects.toThrow(refused);
    expect((await contexts.of(authenticated())).engine.namespace).toBe('acme');
  });
});
