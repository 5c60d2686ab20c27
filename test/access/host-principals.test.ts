import { ConflictException } from '@nestjs/common';
import { createAccess } from '../../src/access/create-access.js';
import type { NamePrincipal } from '../../src/config/access/host-principal.js';
import { checkedAuth } from '../../src/config/access/auth-options.js';
import { InMemoryRunStore, type EngineLogger, type Principal } from '../../src/engine/index.js';
import { ManualClock } from '../../src/engine/testing/manual-clock.js';
import { AuthUnavailableError, UnauthorizedError } from '../../src/errors/access-errors.js';

const request = { url: '/runs', headers: {} };
const GRANTS = [{ namespace: 'acme', roles: ['viewer'] }];

let clock: ManualClock;
let said: string[];
beforeEach(() => {
  clock = new ManualClock();
  said = [];
});

/** Who it is, as a host that names them has it. */
async function ask(...named: readonly NamePrincipal[]): Promise<readonly (Principal | Error)[]> {
  const say = (message: string): void => void said.push(message);
  const logger: EngineLogger = { debug: say, info: say, warn: say, error: say };
  const turns = [...named];
  const options = checkedAuth({ principal: (given: typeof request) => turns.shift()!(given) }, undefined)!;
  const access = await createAccess({ options, store: new InMemoryRunStore(), audit: null, clock, logger });
  await access.authenticator.open();
  const answers: (Principal | Error)[] = [];
  while (turns.length > 0) {
    const asking = Promise.resolve(
      access.authenticator.authenticate({ authorization: undefined, address: '', request }),
    ).catch((error: Error) => error);
    await clock.advance(5_000);
    answers.push(await asking);
  }
  await access.authenticator.close();
  expect(clock.scheduled).toBe(0);
  return answers;
}

it('a principal is what the host names, of which nothing is asked again', async () => {
  const [plain, whole] = await ask(
    () => ({ owner: 'ann', grants: GRANTS }),
    async () => ({
      owner: 'ann',
      id: 'session-7',
      name: 'Ann',
      groups: ['staff'],
      grants: [{ namespace: '*', roles: ['of the host'], workflows: ['orders-*'] }],
      expiresAt: clock.wallTime() + 60_000,
    }),
  );
  expect(plain).toEqual({
    id: 'ann',
    owner: 'ann',
    groups: [],
    grants: GRANTS,
    auth: 'host',
    expiresAt: null,
  });
  expect(whole).toMatchObject({
    id: 'session-7',
    name: 'Ann',
    grants: [{ namespace: '*', roles: ['of the host'], workflows: ['orders-*'] }],
  });
  expect(said).toEqual([]);
});

const LONG = 'x'.repeat(257);
it.each<readonly [string, unknown]>([
  ['nobody', undefined],
  ['null', null],
  ['a text', 'ann'],
  ['no owner', { grants: GRANTS }],
  ['a long owner', { owner: LONG, grants: GRANTS }],
  ['an owner in another normal form', { owner: 'a\u0301', grants: GRANTS }],
  ['an owner with a control character', { owner: 'ann\n', grants: GRANTS }],
  ['an id that is none', { owner: 'ann', id: 7, grants: GRANTS }],
  ['a name that is none', { owner: 'ann', name: '', grants: GRANTS }],
  ['groups that are no list', { owner: 'ann', groups: 'staff', grants: GRANTS }],
  ['257 groups', { owner: 'ann', groups: Array.from({ length: 257 }, () => 'g'), grants: GRANTS }],
  ['no grants', { owner: 'ann' }],
  ['101 grants', { owner: 'ann', grants: Array.from({ length: 101 }, () => GRANTS[0]) }],
  ['a grant in no namespace', { owner: 'ann', grants: [{ namespace: 'ACME', roles: ['viewer'] }] }],
  ['a grant without roles', { owner: 'ann', grants: [{ namespace: 'acme' }] }],
  [
    '51 workflows',
    { owner: 'ann', grants: [{ ...GRANTS[0], workflows: Array.from({ length: 51 }, (_, n) => `w${n}`) }] },
  ],
  ['no workflow at all', { owner: 'ann', grants: [{ ...GRANTS[0], workflows: [] }] }],
  ['an expiry that is none', { owner: 'ann', grants: GRANTS, expiresAt: NaN }],
  ['somebody who has expired', { owner: 'ann', grants: GRANTS, expiresAt: 1 }],
])('%s is nobody', async (_what, named) => {
  expect(await ask((() => named) as NamePrincipal)).toEqual([expect.any(UnauthorizedError)]);
});

it('a host that refuses in its own words is passed on', async () => {
  const refusal = new ConflictException('not now');
  expect(await ask(() => Promise.reject(refusal))).toEqual([refusal]);
});

it('a host that fails, or takes longer than 5 s, cannot say who it is: that is said once, and when it can again', async () => {
  const answers = await ask(
    () => {
      throw new Error('the directory is down');
    },
    () => Promise.reject(new TypeError('the directory is down')),
    () => new Promise(() => undefined),
    () => ({ owner: 'ann', grants: GRANTS }),
  );
  const down = expect.any(AuthUnavailableError);
  expect(answers).toEqual([down, down, down, expect.objectContaining({ owner: 'ann' })]);
  expect(said).toEqual([
    'The option auth.principal failed: requests are refused with 503',
    'The host says again who is asking',
  ]);
});
