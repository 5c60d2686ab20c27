import type { Grant, Roles } from '../../engine/index.js';
import type { Permission } from '../../engine/vocabulary.js';

/** A permission in a namespace (`*`: in each, and in what belongs to none), for all workflows or for those of the patterns. */
export interface Right {
  readonly permission: Permission;
  readonly namespace: string;
  readonly workflows: readonly string[] | undefined;
}

/** The permissions that the roles give together. */
export function permissionsOf(roles: readonly string[], known: Roles): ReadonlySet<Permission> {
  return new Set(roles.flatMap((role) => known.get(role) ?? []));
}

/** The first right of the grants that the holder's do not include; null: they include all. */
export function rightBeyond(grants: readonly Grant[], holders: readonly Grant[], roles: Roles): Right | null {
  for (const { namespace, roles: names, workflows } of grants) {
    for (const permission of permissionsOf(names, roles)) {
      const right = { permission, namespace, workflows };
      if (!holdsRight(holders, right, roles)) return right;
    }
  }
  return null;
}

/** Whether the grants include the right, each pattern of it in one of them. */
export function holdsRight(grants: readonly Grant[], right: Right, roles: Roles): boolean {
  const giving = grants.filter(
    (grant) =>
      (grant.namespace === '*' || grant.namespace === right.namespace) &&
      permissionsOf(grant.roles, roles).has(right.permission),
  );
  if (giving.some(({ workflows }) => workflows === undefined)) return true;
  const patterns = giving.flatMap(({ workflows = [] }) => workflows);
  return right.workflows?.every((inner) => patterns.some((outer) => includesPattern(outer, inner))) ?? false;
}

/** Whether each id that fits the inner pattern fits the outer one, too. */
export function includesPattern(outer: string, inner: string): boolean {
  return outer.endsWith('*') ? inner.startsWith(outer.slice(0, -1)) : inner === outer;
}
