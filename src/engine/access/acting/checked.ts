import { ForbiddenError } from '../../../errors/access-errors.js';
import type { AccessScope } from '../../ports/access/policy.js';
import type { Permission } from '../../vocabulary.js';
import type { Authority, Verdict } from './authority.js';

/** A request as somebody sends it who acts: what they stand for is filled in. */
export type Acted<Request> = Omit<Request, 'namespace' | 'keyOwner' | 'scope' | 'admit'>;

/** What is asked for, and for which workflow. */
export interface Addressed<T> {
  readonly action: Permission;
  readonly workflowId: string;
  /** In place of the work where the workflow is hidden: as for an id that never was. */
  readonly hidden: () => T | Promise<T>;
}

/** Does the work if the workflow is one that the action may be done to. Rejects with a `ForbiddenError`. */
export function addressed<T>(authority: Authority, about: Addressed<T>, work: () => Promise<T>): Promise<T> {
  return addressedNow<Promise<T>>(authority, about as Addressed<Awaited<Promise<T>>>, work) as Promise<T>;
}

/** As `addressed`, for work that is done at once where the policy answers at once. */
export function addressedNow<T>(
  authority: Authority,
  { action, workflowId, hidden }: Addressed<Awaited<T>>,
  work: () => T,
): T | Promise<Awaited<T>> {
  const verdict = authority.verdict(action, workflowId);
  if (verdict === 'allowed') return work();
  const after = async (known: Verdict): Promise<Awaited<T>> => {
    if (known === 'allowed') return await work();
    if (known === 'hidden') return hidden();
    throw forbidden(authority, action);
  };
  return verdict instanceof Promise ? verdict.then(after) : after(verdict);
}

/** The error for what may not be done; that it was asked for is recorded. */
export function forbidden(authority: Authority, action: Permission): ForbiddenError {
  authority.refused(action);
  return new ForbiddenError(action, authority.identity.namespace);
}

/** Rejects with a `ForbiddenError` unless the action may be done in the namespace. */
export async function assertPermitted(authority: Authority, action: Permission): Promise<void> {
  if ((await authority.verdict(action)) === 'allowed') return;
  throw forbidden(authority, action);
}

/** Does the work with what the action may be told of. Rejects with a `ForbiddenError`. */
export function scoped<T>(
  authority: Authority,
  action: Permission,
  work: (scope: AccessScope) => Promise<T>,
): Promise<T> {
  return scopedNow<Promise<T>>(authority, action, work) as Promise<T>;
}

/** As `scoped`, for work that is done at once where the policy answers at once. */
export function scopedNow<T>(
  authority: Authority,
  action: Permission,
  work: (scope: AccessScope) => T,
): T | Promise<Awaited<T>> {
  const scope = authority.scope(action);
  return scope instanceof Promise
    ? scope.then(async (known): Promise<Awaited<T>> => await work(known))
    : work(scope);
}

/** What is streamed, once it is known that it may be; a rejection is thrown at the first step. */
export function streamed<Item, End>(
  made: AsyncGenerator<Item, End, void> | Promise<AsyncGenerator<Item, End, void>>,
): AsyncGenerator<Item, End, void>;
export function streamed<Item>(made: AsyncIterable<Item> | Promise<AsyncIterable<Item>>): AsyncIterable<Item>;
export function streamed(
  made: AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>,
): AsyncIterable<unknown> {
  if (!(made instanceof Promise)) return made;
  // Nobody may ever take the first step.
  made.catch(() => undefined);
  return whenMade(made);
}

async function* whenMade(made: Promise<AsyncIterable<unknown>>): AsyncGenerator<unknown, unknown, void> {
  return yield* await made;
}
