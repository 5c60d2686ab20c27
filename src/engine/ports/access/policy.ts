import type { Permission } from '../../vocabulary.js';
import type { Principal } from './principal.js';

/** What an action is about. */
export interface AccessResource {
  /** Null: what belongs to no namespace, such as the metrics. */
  readonly namespace: string | null;
  /** Absent: no workflow in particular, as where somebody lists. */
  readonly workflowId?: string;
}

/** Which workflows of a namespace a principal is shown: all, or those that fit one of the patterns; none: none. */
export type AccessScope = 'all' | readonly string[];

/** Whether the workflow is one that the scope shows. */
export function isInScope(scope: AccessScope, workflowId: string): boolean {
  if (scope === 'all') return true;
  return scope.some((pattern) =>
    pattern.endsWith('*') ? workflowId.startsWith(pattern.slice(0, -1)) : workflowId === pattern,
  );
}

/**
 * Decides what a principal may do. The one of Flowgate goes by grants and roles; a host may bring another. Whoever asks treats
 * what rejects, or takes longer than a second, as no answer (503), never as a yes.
 */
export interface Policy {
  check(request: {
    readonly principal: Principal;
    readonly action: Permission;
    readonly resource: AccessResource;
  }): boolean | Promise<boolean>;
  /** For lists, searches and streams: of which workflows of the namespace they tell. */
  scope(request: {
    readonly principal: Principal;
    readonly action: Permission;
    readonly namespace: string;
  }): AccessScope | Promise<AccessScope>;
}
