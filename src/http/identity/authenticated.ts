import type { IncomingMessage } from 'node:http';
import type { Principal } from '../../engine/index.js';
import type { Permission } from '../../engine/vocabulary.js';
import { streamOf, type EdgeRequest } from '../edge-request.js';

/** What a request was let in with, so that it can be asked again for what stays open. */
export interface Entry {
  /** As the host's server has it. */
  readonly request: EdgeRequest;
  /** What the route needs; null as a namespace: it is of none. */
  readonly permissions: readonly Permission[];
  readonly namespace: string | null;
}

/** Who is asking, and in which namespace. */
export interface Authenticated {
  readonly principal: Principal;
  readonly namespace: string;
  /** Absent: something else than our guard said who is asking, and nothing is asked again. */
  readonly entry?: Entry;
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
