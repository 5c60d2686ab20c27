import { ForbiddenException, ServiceUnavailableException } from '@nestjs/common';
import type { Authenticator } from '../../access/authenticator.js';
import { AskedPolicy, GrantPolicy, type Grant, type Policy, type Principal } from '../../engine/index.js';
import { ManualClock } from '../../engine/testing/manual-clock.js';
import { AuthUnavailableError, UnauthorizedError } from '../../errors/access-errors.js';
import { BusyError } from '../../errors/service-errors.js';
import type { EdgeRequest } from '../edge-request.js';
import { AdmissionWatch, type Dismissal } from './admission-watch.js';

const VIEWER: readonly Grant[] = [{ namespace: 'acme', roles: ['viewer'] }];

/** Some who are known by their key, and what may befall them. */
class Door implements Authenticator {
  readonly principals = new Map<string, Principal>();
  readonly observers = new Set<() => void>();
  trouble: unknown = null;
  /** Never answers. */
  isSilent = false;
  asked = 0;

  know(key: string, grants = VIEWER, more: Partial<Principal> = {}): Principal {
    const principal = {
      id: key,
      owner: key,
      groups: [],
      grants,
      auth: 'key',
      expiresAt: null,
      ...more,
    } as const;
    this.principals.set(key, principal);
    return principal;
  }

  authenticate({ authorization = '' }: { readonly authorization: string | undefined }) {
    this.asked += 1;
    if (this.isSilent) return new Promise<never>(() => undefined);
    if (this.trouble !== null) throw this.trouble;
    const principal = this.principals.get(authorization);
    if (principal === undefined) throw new UnauthorizedError('no such key');
    return principal;
  }

  observe(changed: () => void): () => void {
    this.observers.add(changed);
    return () => void this.observers.delete(changed);
  }

  open = () => Promise.resolve();
  close = () => Promise.resolve();
}

let clock: ManualClock;
let door: Door;
beforeEach(() => {
  clock = new ManualClock();
  door = new Door();
});

const watchWith = (policy: Policy = new GrantPolicy()) =>
  new AdmissionWatch({ authenticator: door, policy: new AskedPolicy(policy, clock), clock });

interface Opening {
  readonly workflowId?: string;
  readonly namespace?: string | null;
  readonly permissions?: readonly ('run:read' | 'metrics:read')[];
}

/** Something that is open, and why it ended. */
function opened(watch: AdmissionWatch, key: string, opening: Opening = {}) {
  const { workflowId = null, namespace = 'acme', permissions = ['run:read'] as const } = opening;
  const ends: Dismissal[] = [];
  const request = { url: '/', headers: { authorization: key }, socket: {} } as unknown as EdgeRequest;
  const principal = door.principals.get(key)!;
  const known = { principal, namespace: 'acme', entry: { request, permissions, namespace } };
  const letGo = watch.watch({ known, workflowId, dismiss: (why) => ends.push(why) });
  return { ends, letGo };
}

describe('what is open', () => {
  it('goes on as long as its request would be let in', async () => {
    door.know('ann');
    const { ends } = opened(watchWith(), 'ann');
    await clock.advance(2_000);
    for (let minute = 0; minute < 10; minute += 1) await clock.advance(2_000);
    expect([ends, door.asked]).toEqual([[], 11]);
  });

  it.each<readonly [string, () => void]>([
    ['its key was revoked', () => door.principals.delete('ann')],
    ['its principal has expired', () => door.know('ann', VIEWER, { expiresAt: clock.wallTime() + 1 })],
    ['its grant was lost', () => door.know('ann', [{ namespace: 'acme', roles: ['metrics'] }])],
    ['its namespace was lost', () => door.know('ann', [{ namespace: 'other', roles: ['viewer'] }])],
    ['its credentials are of somebody else', () => door.know('ann', VIEWER, { owner: 'bob' })],
    ['the host refuses it', () => (door.trouble = new ForbiddenException())],
  ])('is dismissed within two seconds when %s', async (_what, happens) => {
    door.know('ann');
    const { ends } = opened(watchWith(), 'ann');
    happens();
    await clock.advance(2_000);
    await clock.advance(2_000);
    expect(ends).toEqual(['unauthorized']);
    expect([clock.scheduled, door.observers.size]).toEqual([0, 0]);
  });

  it('is dismissed at the instant until which what is remembered of keys is relied on, and not while that is seen again', async () => {
    door.know('ann');
    const seenAt = clock.now();
    let until = seenAt + 5_000;
    const remembering = Object.assign(door, { reliedOnUntil: () => until });
    const { ends } = opened(watchWith(), 'ann');
    const seconds = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n += 1) await clock.advance(1_000);
    };
    await seconds(4);
    until = clock.now() + 5_000;
    await seconds(3);
    // The store does not answer, and whoever asks by the key waits for that.
    door.isSilent = true;
    await clock.advance(1_999);
    expect(ends).toEqual([]);
    await clock.advance(1);
    expect([ends, clock.now() - seenAt]).toEqual([['again'], 9_000]);
    expect([clock.scheduled, door.observers.size]).toEqual([0, 0]);
    expect(remembering.asked).toBeGreaterThan(0);
  });

  it('is dismissed a quarter of a second after a change that is told, however often', async () => {
    door.know('ann');
    const { ends } = opened(watchWith(), 'ann');
    door.principals.clear();
    for (let time = 0; time < 5; time += 1) for (const changed of door.observers) changed();
    await clock.advance(250);
    expect([ends, door.asked, clock.scheduled]).toEqual([['unauthorized'], 1, 0]);
  });

  it.each([
    ['the store of keys is not there', () => new AuthUnavailableError('The store of keys')],
    ['the host fails', () => new ServiceUnavailableException()],
  ])('is to ask again when %s', async (_what, trouble) => {
    door.know('ann');
    const { ends } = opened(watchWith(), 'ann');
    door.trouble = trouble();
    await clock.advance(2_000);
    expect(ends).toEqual(['again']);
  });

  it.each([
    ['never answers', () => (door.isSilent = true)],
    ['is busy with others', () => (door.trouble = new BusyError('Keys are looked up: try again'))],
  ])('is to ask again when who is asked %s, for two rounds', async (_what, happens) => {
    door.know('ann');
    const { ends } = opened(watchWith(), 'ann');
    await clock.advance(2_000);
    happens();
    await clock.advance(2_000);
    expect(ends).toEqual([]);
    await clock.advance(2_000);
    expect([ends, clock.scheduled]).toEqual([['again'], 0]);
  });

  it('of one workflow ends with the grant for it, and with no other', async () => {
    const of = (...workflows: readonly string[]) => [{ namespace: 'acme', roles: ['viewer'], workflows }];
    door.know('ann', of('orders', 'invoices'));
    const watch = watchWith();
    const [orders, invoices] = ['orders', 'invoices'].map((workflowId) =>
      opened(watch, 'ann', { workflowId }),
    );
    door.know('ann', of('orders', 'others'));
    await clock.advance(2_000);
    expect([orders!.ends, invoices!.ends]).toEqual([[], ['unauthorized']]);
  });

  it('of all that is shown begins again when that is something else', async () => {
    door.know('ann');
    const { ends } = opened(watchWith(), 'ann');
    door.know('ann', [{ namespace: 'acme', roles: ['viewer'], workflows: ['orders'] }]);
    await clock.advance(2_000);
    expect(ends).toEqual(['again']);
  });

  it('of no namespace needs its permission everywhere', async () => {
    door.know('ann', [{ namespace: '*', roles: ['metrics'] }]);
    const { ends } = opened(watchWith(), 'ann', { namespace: null, permissions: ['metrics:read'] });
    await clock.advance(2_000);
    expect(ends).toEqual([]);
    door.know('ann', [{ namespace: 'acme', roles: ['metrics'] }]);
    await clock.advance(2_000);
    expect(ends).toEqual(['unauthorized']);
  });

  it('ends when the policy of a host says no, or does not say', async () => {
    for (const [answer, why] of [
      [() => Promise.resolve(false), 'unauthorized'],
      [() => Promise.reject(new Error('down')), 'again'],
    ] as const) {
      door.know('ann');
      let check: Policy['check'] = () => true;
      const { ends } = opened(watchWith({ check: (asked) => check(asked), scope: () => 'all' }), 'ann');
      check = answer;
      await clock.advance(2_000);
      expect(ends).toEqual([why]);
    }
  });
});

it('a thousand with one key cost one question each, and leave nothing behind', async () => {
  door.know('ann');
  const watch = watchWith();
  const all = Array.from({ length: 1_000 }, () => opened(watch, 'ann'));
  expect([watch.count, clock.scheduled, door.observers.size]).toEqual([1_000, 1, 1]);
  for (const { letGo } of all.slice(1)) letGo();
  await clock.advance(2_000);
  expect(door.asked).toBe(1);
  all[0]!.letGo();
  all[0]!.letGo();
  expect([watch.count, clock.scheduled, door.observers.size]).toEqual([0, 0, 0]);
  expect(all.flatMap(({ ends }) => ends)).toEqual([]);
});
