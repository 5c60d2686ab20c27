import type { Actor } from '../../core/log/actor.js';
import type { AccessScope, Policy } from '../../ports/access/policy.js';
import type { Principal } from '../../ports/access/principal.js';
import type { Permission } from '../../vocabulary.js';
import { callerOfOwner } from '../../scheduling/caller.js';
import type { Authority, Identity, Verdict } from './authority.js';
import { forbidden } from './checked.js';

export interface ActingIn {
  readonly namespace: string;
  readonly via: Actor['via'];
}

/** What somebody was refused. */
export interface Refusal {
  readonly by: Actor;
  readonly namespace: string;
  readonly action: Permission;
}

/** A principal in a namespace, and what the policy says of them. */
export class PrincipalAuthority implements Authority {
  readonly identity: Identity;
  private readonly namespace: string;
  private readonly by: Actor;

  constructor(
    private readonly principal: Principal,
    { namespace, via }: ActingIn,
    private readonly policy: Policy,
    private readonly onRefusal: (refusal: Refusal) => void = () => undefined,
  ) {
    const { owner } = principal;
    this.namespace = namespace;
    this.by = actorOf(principal, via);
    this.identity = Object.freeze({
      namespace,
      by: this.by,
      caller: callerOfOwner(namespace, owner),
      keyOwner: owner,
    });
  }

  verdict(action: Permission, workflowId?: string): Verdict | Promise<Verdict> {
    const { principal, namespace } = this;
    const resource = workflowId === undefined ? { namespace } : { namespace, workflowId };
    const may = this.policy.check({ principal, action, resource });
    return may instanceof Promise
      ? may.then((isAllowed) => this.judged(isAllowed, action, workflowId))
      : this.judged(may, action, workflowId);
  }

  mayEverywhere(action: Permission): boolean | Promise<boolean> {
    return this.policy.check({ principal: this.principal, action, resource: { namespace: null } });
  }

  refused(action: Permission): void {
    const { by, namespace } = this;
    this.onRefusal({ by, namespace, action });
  }

  scope(action: Permission): AccessScope | Promise<AccessScope> {
    const verdict = this.verdict(action);
    return verdict instanceof Promise
      ? verdict.then((known) => this.scopeBy(known, action))
      : this.scopeBy(verdict, action);
  }

  private judged(
    isAllowed: boolean,
    action: Permission,
    workflowId: string | undefined,
  ): Verdict | Promise<Verdict> {
    if (isAllowed) return 'allowed';
    if (workflowId === undefined) return 'forbidden';
    const elsewhere = this.verdict(action);
    return elsewhere instanceof Promise ? elsewhere.then(hiddenIfAllowed) : hiddenIfAllowed(elsewhere);
  }

  private scopeBy(verdict: Verdict, action: Permission): AccessScope | Promise<AccessScope> {
    const { principal, namespace } = this;
    if (verdict !== 'allowed') return Promise.reject(forbidden(this, action));
    return this.policy.scope({ principal, action, namespace });
  }
}

/** Who stands as `by` in what the principal causes. */
function actorOf({ id, owner, name, auth }: Principal, via: Actor['via']): Actor {
  return Object.freeze({ id, owner, ...(name === undefined ? {} : { name }), via, auth });
}

function hiddenIfAllowed(inNamespace: Verdict): Verdict {
  return inNamespace === 'allowed' ? 'hidden' : 'forbidden';
}
