import { anonymous, identified, type Actor } from '../engine/index.js';
import type { RequestContext } from '../http/identity/request-context.js';

/** `claimed` is the name in the body: it counts only where nobody is authenticated, and the host does not name principals. */
export function actorOf({ engine, via, principal }: RequestContext, claimed?: string): Actor {
  if (engine.actor !== null) return engine.actor;
  if (typeof principal === 'string') return identified(via, principal);
  return anonymous(via, principal === undefined ? claimed : undefined);
}
