import type { AccessResource, Policy, Principal } from '../../engine/index.js';
import type { Permission } from '../../engine/vocabulary.js';
import { AuthUnavailableError } from '../../errors/access-errors.js';

interface Question {
  readonly principal: Principal;
  readonly action: Permission;
  readonly resource: AccessResource;
}

/** A policy that takes longer gives no answer. */
const ANSWERS_WITHIN_MS = 1_000;

/**
 * What the policy answers; without a promise if it does so at once. What it throws, and what it takes too long for, is an
 * `AuthUnavailableError`, never a yes.
 */
export function isPermitted(policy: Policy, question: Question): boolean | Promise<boolean> {
  try {
    const answer = policy.check(question);
    return answer instanceof Promise ? answered(answer) : answer === true;
  } catch (cause) {
    throw new AuthUnavailableError('The policy', { cause });
  }
}

async function answered(asked: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    const late = () => reject(new Error(`The policy gave no answer within ${ANSWERS_WITHIN_MS} ms`));
    timer = setTimeout(late, ANSWERS_WITHIN_MS);
  });
  try {
    return (await Promise.race([asked, tooLate])) === true;
  } catch (cause) {
    throw new AuthUnavailableError('The policy', { cause });
  } finally {
    clearTimeout(timer);
  }
}
