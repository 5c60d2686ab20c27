import type { EdgeRequest } from './edge-request.js';

/** How a request came in: what a service must know of it beside its body. */
export interface Arrival {
  readonly via: 'http' | 'mcp';
  /** The header of that name, as it came. */
  readonly idempotencyKey?: unknown;
  /** Fields of the body that were read on the way: a tool's `workflowId` and `runId`. */
  readonly alreadyRead?: readonly string[];
}

/**
 * What came with a request: its body, or the arguments of a tool. Asked for, and read, only once it is known that what it
 * is about is there: an unknown workflow or run comes before whatever is wrong with the body.
 */
export type BodySource = () => unknown;

export function arrivalOf({ headers }: EdgeRequest): Arrival {
  return { via: 'http', idempotencyKey: headers['idempotency-key'] };
}

/** What a field of the body is called, for whoever sent it. */
export function fieldKind(via: Arrival['via']): string {
  return via === 'mcp' ? 'argument of this tool' : 'field of this body';
}
