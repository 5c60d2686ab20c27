import type { Actor } from '../../core/log/actor.js';
import type { AccessScope } from '../../ports/access/policy.js';
import type { Permission } from '../../vocabulary.js';

/** `hidden`: the action is permitted in the namespace, but not for this workflow, of which nothing is to be known then. */
export type Verdict = 'allowed' | 'forbidden' | 'hidden';

/** What is filled into each request, whatever it says itself. */
export interface Identity {
  readonly namespace: string;
  /** These three are absent where nobody was authenticated: then what the request says counts. */
  readonly by?: Actor;
  readonly caller?: string;
  readonly keyOwner?: string;
}

/** As whom, and where, somebody acts; asked before anything is done for them. It answers without a promise where it can. */
export interface Authority {
  readonly identity: Identity;
  /** Whether they may do it in the namespace or, if one is named, to a workflow. */
  verdict(action: Permission, workflowId?: string): Verdict | Promise<Verdict>;
  /** Whether they may do it in `*`: to what belongs to no namespace. */
  mayEverywhere(action: Permission): boolean | Promise<boolean>;
  /** Somebody was told that they may not: it is recorded where refusals are. */
  refused(action: Permission): void;
  /** Of which workflows they are told. Rejects with a `ForbiddenError` where the permission is missing in the namespace. */
  scope(action: Permission): AccessScope | Promise<AccessScope>;
}

/** Where nobody is asked who they are: everything in one namespace may be done. */
export function unchecked(namespace: string): Authority {
  const identity = Object.freeze({ namespace });
  return Object.freeze({
    identity,
    verdict: () => 'allowed' as const,
    mayEverywhere: () => true,
    refused: () => undefined,
    scope: () => 'all' as const,
  });
}
