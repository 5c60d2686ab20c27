import type { Principal } from '../../engine/index.js';
import { streamOf, type EdgeRequest } from '../edge-request.js';

/** Who is asking, and in which namespace. */
export interface Authenticated {
  readonly principal: Principal;
  readonly namespace: string;
}

const KNOWN = new WeakMap<object, Authenticated>();

/** Remembers who sends the request, for whatever serves it. */
export function setAuthenticated(request: EdgeRequest, authenticated: Authenticated): void {
  KNOWN.set(streamOf(request), authenticated);
}

/** Who sends the request; undefined: nobody was asked. */
export function authenticatedOf(request: EdgeRequest): Authenticated | undefined {
  return KNOWN.get(streamOf(request));
}
