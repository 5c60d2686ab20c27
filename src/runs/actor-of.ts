import { anonymous, identified, type Actor } from '../engine/index.js';
import type { RequestContext } from '../http/identity/request-context.js';

/** `claimed` is the name in the body: it counts only if the host does not name principals. */
export function actorOf({ via, principal }: RequestContext, claimed?: string): Actor {
  if (typeof principal === 'string') return identified(via, principal);
  return anonymous(via, principal === undefined ? claimed : undefined);
}
