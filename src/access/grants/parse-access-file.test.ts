import { AccessRules } from './access-rules.js';
import { parseAccessFile } from './parse-access-file.js';

const GRANT = { to: { group: 'ops' }, namespace: 'team', roles: ['viewer'] };

test('an access file gives owners and groups what it grants them, each group once', () => {
  const rules = parseAccessFile(
    JSON.stringify({
      roles: { starter: ['run:start'] },
      grants: [GRANT, { to: { owner: 'alice' }, namespace: '*', roles: ['starter'], workflows: ['order-*'] }],
    }),
  );
  if (!(rules instanceof AccessRules)) throw new Error(rules.join('\n'));
  expect(rules.grantsOf({ owner: 'alice', groups: ['ops', 'ops', 'others'] })).toEqual([
    { namespace: '*', roles: ['starter'], workflows: ['order-*'] },
    { namespace: 'team', roles: ['viewer'] },
  ]);
  expect(rules.grantsOf({ owner: 'ops', groups: ['alice'] })).toEqual([]);
  expect(rules.roles.get('starter')).toEqual(['run:start']);
  expect(rules.grantAnything).toBe(true);
});

test('an access file may begin with a byte order mark', () => {
  expect(parseAccessFile(`\uFEFF${JSON.stringify({ grants: [GRANT] })}`)).toBeInstanceOf(AccessRules);
});

test.each([
  ['no JSON', '{"grants": [', /^it is not a JSON object: write/],
  ['a list', '[]', /^it is not a JSON object: write/],
  [
    'a name that is none',
    JSON.stringify({ grants: [], grant: [] }),
    /^the file has a field that means nothing/,
  ],
  ['no grants', '{}', /^grants must be a list/],
  ['many levels', '['.repeat(100_000), /^it holds more than 6 levels/],
  ['a role without permissions', { roles: { own: [] } }, /^roles, number 1: own must have a list/],
  ['a role that is built in', { roles: { admin: ['run:read'] } }, /admin is built in: choose another name/],
  ['a role with a name that is none', { roles: { __proto: ['run:read'] } }, /^roles, number 1: its name/],
  ['a permission that is none', { roles: { own: ['run:reed'] } }, /own must have a list/],
  ['a grant that is none', { grants: [null] }, /^grants, number 1 must be an object/],
  ['a grant to nobody', { grants: [{ ...GRANT, to: {} }] }, /^grants, number 1: to must be/],
  [
    'a grant to two',
    { grants: [{ ...GRANT, to: { owner: 'a', group: 'b' } }] },
    /^grants, number 1: to must be/,
  ],
  ['a namespace that is none', { grants: [{ ...GRANT, namespace: 'Team' }] }, /namespace must be/],
  [
    'a role that nobody has',
    { grants: [{ ...GRANT, roles: ['viewr'] }] },
    /roles must be a list of .*viewer/,
  ],
  ['no workflows', { grants: [{ ...GRANT, workflows: [] }] }, /workflows must be left out/],
  [
    '51 workflows',
    { grants: [{ ...GRANT, workflows: Array.from({ length: 51 }, (_, index) => `w${index}`) }] },
    /workflows must be left out for all/,
  ],
  ['a field that means nothing', { grants: [{ ...GRANT, workflow: 'a' }] }, /^grants, number 1 has a field/],
  [
    '101 grants to one',
    { grants: Array.from({ length: 101 }, () => GRANT) },
    /^grants, number 101: more than 100/,
  ],
])('an access file with %s is refused, with what to write', (_, content, fault) => {
  const text = typeof content === 'string' ? content : JSON.stringify({ grants: [], ...content });
  expect(parseAccessFile(text)).toEqual([expect.stringMatching(fault)]);
});
