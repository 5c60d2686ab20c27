import { isInScope, type AccessResource, type AccessScope, type Policy } from '../ports/access/policy.js';
import type { Grant, Principal, Roles } from '../ports/access/principal.js';
import type { Permission } from '../vocabulary.js';
import { BUILT_IN_ROLES } from './roles.js';

interface Asked {
  readonly principal: Principal;
  readonly action: Permission;
}

/** Goes by the grants of the principal and the permissions of their roles. */
export class GrantPolicy implements Policy {
  constructor(private readonly roles: () => Roles = () => BUILT_IN_ROLES) {}

  check({ principal, action, resource }: Asked & { readonly resource: AccessResource }): boolean {
    const { namespace, workflowId } = resource;
    return principal.grants.some(
      (grant) =>
        this.gives(grant, action) &&
        (grant.namespace === '*' || grant.namespace === namespace) &&
        (workflowId === undefined || isGranted(grant, workflowId)),
    );
  }

  scope({ principal, action, namespace }: Asked & { readonly namespace: string }): AccessScope {
    const patterns = new Set<string>();
    for (const grant of principal.grants) {
      if (grant.namespace !== '*' && grant.namespace !== namespace) continue;
      if (!this.gives(grant, action)) continue;
      if (grant.workflows === undefined) return 'all';
      for (const pattern of grant.workflows) patterns.add(pattern);
    }
    return [...patterns];
  }

  private gives({ roles }: Grant, action: Permission): boolean {
    const known = this.roles();
    return roles.some((role) => known.get(role)?.includes(action) === true);
  }
}

function isGranted({ workflows }: Grant, workflowId: string): boolean {
  return workflows === undefined || isInScope(workflows, workflowId);
}
