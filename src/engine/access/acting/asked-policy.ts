import { AuthUnavailableError } from '../../../errors/access-errors.js';
import type { AccessScope, Policy } from '../../ports/access/policy.js';
import { MAX_GRANTED_WORKFLOWS, MAX_GRANTS } from '../../ports/access/principal.js';
import type { Clock } from '../../ports/clock.js';

/** How long a policy may take. */
const ANSWER_MS = 1_000;

/** As many as all grants of a principal can have: lists ask their store once for every 50 of them. */
const MAX_PATTERNS = MAX_GRANTS * MAX_GRANTED_WORKFLOWS;

type Answer<T> = T | Promise<T>;

/**
 * A policy, asked so that what it fails to answer is never taken for a yes: it throws an `AuthUnavailableError` where the policy
 * throws, takes longer than a second or answers something else. One that answers at once costs no promise.
 */
export class AskedPolicy implements Policy {
  constructor(
    private readonly policy: Policy,
    private readonly clock: Clock,
  ) {}

  check(request: Parameters<Policy['check']>[0]): Answer<boolean> {
    return this.answer(() => this.policy.check(request), asYesOrNo);
  }

  scope(request: Parameters<Policy['scope']>[0]): Answer<AccessScope> {
    return this.answer(() => this.policy.scope(request), asScope);
  }

  private answer<T>(ask: () => unknown, read: (given: unknown) => T): Answer<T> {
    try {
      const given = ask();
      return isPromise(given) ? this.inTime(given, read) : read(given);
    } catch (error) {
      return Promise.reject(unavailable(error));
    }
  }

  private async inTime<T>(given: PromiseLike<unknown>, read: (given: unknown) => T): Promise<T> {
    const late = Promise.withResolvers<never>();
    const { clock } = this;
    const cancel = clock.schedule(clock.now() + ANSWER_MS, () =>
      late.reject(new Error(`It took longer than ${ANSWER_MS} ms`)),
    );
    try {
      return read(await Promise.race([given, late.promise]));
    } catch (error) {
      throw unavailable(error);
    } finally {
      cancel();
    }
  }
}

function isPromise(given: unknown): given is PromiseLike<unknown> {
  return typeof given === 'object' && given !== null && 'then' in given && typeof given.then === 'function';
}

function asYesOrNo(given: unknown): boolean {
  if (typeof given === 'boolean') return given;
  throw new TypeError('check of the policy must give true or false');
}

function asScope(given: unknown): AccessScope {
  if (given === 'all') return given;
  const patterns: readonly unknown[] = Array.isArray(given) ? given : [null];
  if (patterns.length <= MAX_PATTERNS && patterns.every((pattern) => typeof pattern === 'string'))
    return [...patterns];
  throw new TypeError(`scope of the policy must give 'all' or a list of up to ${MAX_PATTERNS} patterns`);
}

function unavailable(cause: unknown): AuthUnavailableError {
  return new AuthUnavailableError('The policy that says what may be done', { cause });
}
