import { BUILT_IN_ROLES, type Grant, type Roles } from '../../engine/index.js';

/** To whom the access file grants something. */
export type Recipient = { readonly owner: string } | { readonly group: string };

export interface GrantTo {
  readonly to: Recipient;
  readonly grant: Grant;
}

/** What an access file says: the roles that there are, and what is granted to whom. */
export class AccessRules {
  private readonly ofOwners = new Map<string, Grant[]>();
  private readonly ofGroups = new Map<string, Grant[]>();

  constructor(
    readonly roles: Roles,
    grants: readonly GrantTo[],
  ) {
    for (const { to, grant } of grants) {
      const [recipients, name] = 'owner' in to ? [this.ofOwners, to.owner] : [this.ofGroups, to.group];
      const earlier = recipients.get(name);
      if (earlier === undefined) recipients.set(name, [grant]);
      else earlier.push(grant);
    }
  }

  /** Whether anybody at all is granted something. */
  get grantAnything(): boolean {
    return this.ofOwners.size + this.ofGroups.size > 0;
  }

  grantsOf({ owner, groups }: { readonly owner: string; readonly groups: readonly string[] }) {
    const grants = [...(this.ofOwners.get(owner) ?? [])];
    for (const group of new Set(groups)) grants.push(...(this.ofGroups.get(group) ?? []));
    return grants;
  }
}

/** Without an access file: the built-in roles, and nothing for anybody. */
export const NO_RULES = new AccessRules(BUILT_IN_ROLES, []);
