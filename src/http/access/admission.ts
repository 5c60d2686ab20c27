import type { IncomingMessage } from 'node:http';
import type { Principal } from '../../engine/index.js';
import { UnauthorizedError } from '../../errors/access-errors.js';
import { callerOfAddress } from '../identity/caller.js';
import type { EdgeRequest } from '../edge-request.js';
import type { Access } from './access.js';
import { credentialsOf } from './credentials-of.js';
import type { RefusalLog } from './refusals/refusal-log.js';

/**
 * Who sends the request; without a promise if that is known already. Rejects with, or throws, an `UnauthorizedError`, whose reason is
 * logged, or what says that it cannot be found out.
 */
export function admitted(
  request: EdgeRequest,
  { authenticator, refused }: Pick<Access, 'authenticator' | 'refused'>,
  log: RefusalLog,
): Principal | Promise<Principal> {
  const noted = (error: unknown): never => {
    if (error instanceof UnauthorizedError) {
      log.note(error.reason);
      refused({ status: 401, reason: error.reason, principal: null, namespace: null });
    }
    throw error;
  };
  try {
    const principal = authenticator.authenticate(credentialsOf(request));
    return principal instanceof Promise ? principal.catch(noted) : principal;
  } catch (error) {
    return noted(error);
  }
}

/** Whether it is known who sends a request that nothing was read of yet. Why not is logged where it is refused. */
export async function isKnown(
  { headers, socket }: IncomingMessage,
  { authenticator }: Pick<Access, 'authenticator'>,
): Promise<boolean> {
  const { authorization } = headers;
  try {
    await authenticator.authenticate({ authorization, address: callerOfAddress(socket.remoteAddress) });
    return true;
  } catch {
    return false;
  }
}
