import fc from 'fast-check';
import { BUILT_IN_ROLES, GrantPolicy, type Grant, type Principal, type Roles } from '../../engine/index.js';
import { PERMISSIONS, type Permission } from '../../engine/vocabulary.js';
import { commonGrants } from './common-grants.js';
import { rightBeyond } from './covered-grants.js';

const ROLES: Roles = new Map<string, readonly Permission[]>([
  ...BUILT_IN_ROLES,
  ['starter', ['run:start', 'workflow:register']],
]);
const NAMESPACES = ['one', 'two'];
const WORKFLOWS = ['a', 'ab', 'abc', 'b', ''];

const grant: fc.Arbitrary<Grant> = fc.record(
  {
    namespace: fc.constantFrom('*', ...NAMESPACES),
    roles: fc.uniqueArray(fc.constantFrom(...ROLES.keys(), 'unknown'), { minLength: 1, maxLength: 3 }),
    workflows: fc.uniqueArray(fc.constantFrom('a', 'ab', 'a*', 'ab*', '*', 'b'), {
      minLength: 1,
      maxLength: 3,
    }),
  },
  { requiredKeys: ['namespace', 'roles'] },
);
const grants = fc.array(grant, { maxLength: 4 });

/** All that somebody with these grants may do, asked one by one. */
function allowed(held: readonly Grant[]): ReadonlySet<string> {
  const policy = new GrantPolicy(() => ROLES);
  const principal: Principal = {
    id: 'x',
    owner: 'x',
    groups: [],
    grants: held,
    auth: 'key',
    expiresAt: null,
  };
  const rights = new Set<string>();
  for (const namespace of [...NAMESPACES, null])
    for (const action of PERMISSIONS)
      for (const workflowId of WORKFLOWS)
        if (policy.check({ principal, action, resource: { namespace, workflowId } }))
          rights.add(`${String(namespace)} ${action} ${workflowId}`);
  return rights;
}

test('what two have in common is never more than either has', () => {
  fc.assert(
    fc.property(grants, grants, (first, second) => {
      const common = allowed(commonGrants(first, second, ROLES));
      const ofFirst = allowed(first);
      expect([...common].filter((right) => !ofFirst.has(right))).toEqual([]);
      const ofSecond = allowed(second);
      expect([...common].filter((right) => !ofSecond.has(right))).toEqual([]);
    }),
  );
});

test('whoever has all has in common what the other has', () => {
  const all: Grant[] = [{ namespace: '*', roles: ['admin'] }];
  fc.assert(
    fc.property(grants, (held) => {
      expect(allowed(commonGrants(held, all, ROLES))).toEqual(allowed(held));
    }),
  );
});

test('grants that include others allow all that these do', () => {
  fc.assert(
    fc.property(grants, grants, (inner, outer) => {
      fc.pre(rightBeyond(inner, outer, ROLES) === null);
      const outers = allowed(outer);
      expect([...allowed(inner)].filter((right) => !outers.has(right))).toEqual([]);
    }),
  );
});

test('grants include what is in common with them', () => {
  fc.assert(
    fc.property(grants, grants, (first, second) => {
      const common = commonGrants(first, second, ROLES);
      expect(rightBeyond(common, first, ROLES)).toBeNull();
      expect(rightBeyond(common, second, ROLES)).toBeNull();
    }),
  );
});

test('a role of which the other has a part becomes the roles of that part', () => {
  const first = [{ namespace: 'team', roles: ['author'] }];
  const second = [{ namespace: '*', roles: ['operator'] }];
  expect(commonGrants(first, second, ROLES)).toEqual([{ namespace: 'team', roles: ['viewer'] }]);
});
