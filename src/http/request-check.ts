import type { IncomingMessage } from 'node:http';
import type { FlowgateError } from '../errors/flowgate-error.js';

/** Looks at the head of a request before anything else does. Gives the error that refuses it, or null. */
export type RequestCheck = (request: IncomingMessage) => FlowgateError | null;

/** What the first check that has something against the request says. */
export function refusalOf(request: IncomingMessage, checks: readonly RequestCheck[]): FlowgateError | null {
  for (const check of checks) {
    const refusal = check(request);
    if (refusal !== null) return refusal;
  }
  return null;
}
