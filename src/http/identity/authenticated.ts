import type { IncomingMessage } from 'node:http';
import type { Principal } from '../../engine/index.js';
import { callerOfOwner } from '../../engine/scheduling/caller.js';
import { streamOf, type EdgeRequest } from '../edge-request.js';
import type { RequestEntry } from '../request-entry.js';

/** Who is asking, and in which namespace. */
export interface Authenticated {
  readonly principal: Principal;
  readonly namespace: string;
  /** Absent: something else than our guard said who is asking, and nothing is asked again. */
  readonly entry?: RequestEntry;
}

/** On the request itself: a weak map of requests makes each collection of garbage look at all of them. */
const AUTHENTICATED = Symbol('flowgate.authenticated');

interface Known {
  [AUTHENTICATED]?: Authenticated;
}

/** Remembers who sends the request, for whatever serves it. */
export function setAuthenticated(request: EdgeRequest, authenticated: Authenticated): void {
  (streamOf(request) as Known)[AUTHENTICATED] = authenticated;
}

/** Who sends the request, as the adapter has it or as Node does; undefined: nobody was asked. */
export function authenticatedOf(request: EdgeRequest | IncomingMessage): Authenticated | undefined {
  const stream = 'raw' in request && request.raw !== undefined ? request.raw : request;
  return (stream as Known)[AUTHENTICATED];
}

/** The caller whose share the request uses of what is divided among those who are authenticated; null: nobody was asked. */
export function sharerOf(request: EdgeRequest | IncomingMessage): string | null {
  const known = authenticatedOf(request);
  return known === undefined ? null : callerOfOwner(known.namespace, known.principal.owner);
}
