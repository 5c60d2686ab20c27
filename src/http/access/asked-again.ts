import { isDeepStrictEqual } from 'node:util';
import {
  ChangedGrantsError,
  ForbiddenError,
  ForeignNamespaceError,
  UnauthorizedError,
} from '../../errors/access-errors.js';
import type { EdgeRequest } from '../edge-request.js';
import { authenticatedOf, setAuthenticated } from '../identity/authenticated.js';
import type { Access } from './access.js';
import { assertPermitted } from './permitted.js';
import { atTheDoor } from './refusals/refused-at-the-door.js';
import type { RefusalLog } from './refusals/refusal-log.js';
import { refusalOf } from './refusals/refusal-of.js';

/**
 * Asks once more who sends a request, whose body had to be waited for. That may take minutes: who was revoked meanwhile must not act,
 * nor get a key that outlives it. From then on the request is of whom it is found to be now. Rejects as the guard does; and with a
 * `ChangedGrantsError` where something else is granted now: which workflow is meant only its service knows, whose engine is that of
 * the grants before.
 */
export async function askAgain(
  request: EdgeRequest,
  { admissions, policy, refused }: Pick<Access, 'admissions' | 'policy' | 'refused'>,
  log: RefusalLog,
): Promise<void> {
  const known = authenticatedOf(request);
  if (known?.entry === undefined) return;
  const { permissions, namespace } = known.entry;
  try {
    const principal = await admissions.askedAgain(known, known.entry);
    await assertPermitted(policy, { principal, permissions, namespace });
    if (!isDeepStrictEqual(principal.grants, known.principal.grants)) throw new ChangedGrantsError();
    setAuthenticated(request, { ...known, principal });
  } catch (error) {
    if (error instanceof UnauthorizedError) {
      log.note(error.reason);
      refused({ status: 401, reason: error.reason, principal: null, namespace: null });
    } else if (error instanceof ForbiddenError || error instanceof ForeignNamespaceError)
      refused(refusalOf(error, known.principal));
    throw atTheDoor(error);
  }
}
