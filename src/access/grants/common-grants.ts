import type { Grant, Roles } from '../../engine/index.js';
import { includesPattern, permissionsOf, rightBeyond } from './covered-grants.js';

/** Of so many grants it is not looked which ones say nothing that another does not say, too. */
const MOST_COMPARED = 300;

/**
 * What both hold: of the permissions as much as roles can say, and never more. The roles of the first are kept where the second
 * has all that they give; else all roles are taken that give only what both have.
 */
export function commonGrants(
  first: readonly Grant[],
  second: readonly Grant[],
  roles: Roles,
): readonly Grant[] {
  const common = new Map<string, Grant>();
  for (const one of first)
    for (const other of sameScopes(one, second)) {
      const grant = commonOf(one, other, roles);
      if (grant !== null) common.set(JSON.stringify(grant), grant);
    }
  return withoutIncluded([...common.values()], roles);
}

/** Without those of which another one gives all; of several that give the same the first stays. */
function withoutIncluded(grants: readonly Grant[], roles: Roles): readonly Grant[] {
  if (grants.length > MOST_COMPARED) return grants;
  const includes = (outer: Grant, inner: Grant): boolean => rightBeyond([inner], [outer], roles) === null;
  return grants.filter(
    (grant, index) =>
      !grants.some(
        (other, at) => at !== index && includes(other, grant) && (at < index || !includes(grant, other)),
      ),
  );
}

/** The grants that have a namespace in common with this one; those for the same workflows are one, with the roles of each. */
function sameScopes({ namespace }: Grant, grants: readonly Grant[]): readonly Grant[] {
  const scopes = new Map<string, Grant>();
  for (const grant of grants) {
    const common = commonNamespace(namespace, grant.namespace);
    if (common === null) continue;
    const scope = JSON.stringify([common, grant.workflows ?? null]);
    const earlier = scopes.get(scope)?.roles ?? [];
    scopes.set(scope, { ...grant, namespace: common, roles: [...earlier, ...grant.roles] });
  }
  return [...scopes.values()];
}

function commonOf(one: Grant, other: Grant, roles: Roles): Grant | null {
  const workflows = commonPatterns(one.workflows, other.workflows);
  const names = commonRoles(one.roles, other.roles, roles);
  if (names.length === 0 || workflows?.length === 0) return null;
  return { namespace: other.namespace, roles: names, ...(workflows !== undefined && { workflows }) };
}

function commonNamespace(one: string, other: string): string | null {
  if (one === '*') return other;
  return other === '*' || one === other ? one : null;
}

function commonRoles(one: readonly string[], other: readonly string[], roles: Roles): readonly string[] {
  const [ofOne, ofOther] = [permissionsOf(one, roles), permissionsOf(other, roles)];
  if ([...ofOne].every((each) => ofOther.has(each))) return one.filter((role) => roles.has(role));
  return [...roles]
    .filter(([, permissions]) => permissions.every((each) => ofOne.has(each) && ofOther.has(each)))
    .map(([name]) => name);
}

function commonPatterns(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const common = one.flatMap((a) => [
    ...(other.some((b) => includesPattern(b, a)) ? [a] : []),
    ...other.filter((b) => includesPattern(a, b)),
  ]);
  return [...new Set(common)];
}
