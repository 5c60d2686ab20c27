import type { Credentials } from '../../access/authenticator.js';
import type { EdgeRequest } from '../edge-request.js';
import { callerOf } from '../identity/caller.js';

/** What of a request says who is asking. */
export function credentialsOf(request: EdgeRequest): Credentials {
  return { authorization: request.headers.authorization, address: callerOf(request, undefined), request };
}
