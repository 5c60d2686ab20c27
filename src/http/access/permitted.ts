import type { AskedPolicy, Principal } from '../../engine/index.js';
import type { Permission } from '../../engine/vocabulary.js';
import { ForbiddenError } from '../../errors/access-errors.js';

/** What somebody asks for: permissions in a namespace, or, null, in all of them. */
export interface Wanted {
  readonly principal: Principal;
  readonly namespace: string | null;
  readonly permissions: readonly Permission[];
  /** Absent: for some workflow at least. */
  readonly workflowId?: string;
}

/** Throws a `ForbiddenError`, or rejects with one, unless all of it is permitted; without a promise where the policy has none. */
export function assertPermitted(policy: AskedPolicy, wanted: Wanted): void | Promise<void> {
  const { principal, namespace, permissions, workflowId } = wanted;
  const [action, ...others] = permissions;
  if (action === undefined) return undefined;
  const resource = { namespace, ...(workflowId === undefined ? {} : { workflowId }) };
  return after(policy.check({ principal, action, resource }), (isGranted) => {
    if (!isGranted) throw new ForbiddenError(action, namespace);
    return assertPermitted(policy, { ...wanted, permissions: others });
  });
}

/** Goes on at once where there is nothing to wait for: most requests are let in without a promise. */
export function after<T, R>(value: T | Promise<T>, then: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(then) : then(value);
}
