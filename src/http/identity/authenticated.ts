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

const KNOWN = new WeakMap<object, Authenticated>();

/** Remembers who sends the request, for whatever serves it. */
export function setAuthenticated(request: EdgeRequest, authenticated: Authenticated): void {
  KNOWN.set(streamOf(request), authenticated);
}

/** Who sends the request, as the adapter has it or as Node does; undefined: nobody was asked. */
export function authenticatedOf(request: EdgeRequest | IncomingMessage): Authenticated | undefined {
  return KNOWN.get('raw' in request && request.raw !== undefined ? request.raw : request);
}

/** The caller whose share the request uses of what is divided among those who are authenticated; null: nobody was asked. */
export function sharerOf(request: EdgeRequest | IncomingMessage): string | null {
  const known = authenticatedOf(request);
  return known === undefined ? null : callerOfOwner(known.namespace, known.principal.owner);
}
