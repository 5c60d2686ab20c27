import type { IncomingMessage } from 'node:http';
import type { FlowgateError } from '../../errors/flowgate-error.js';

/** Checks the head of a request before anything else does. Returns the error that refuses it, or null. */
export type RequestCheck = (request: IncomingMessage) => FlowgateError | null;

/** The error of the first check that refuses the request; null: none does. */
export function refusalOf(request: IncomingMessage, checks: readonly RequestCheck[]): FlowgateError | null {
  for (const check of checks) {
    const refusal = check(request);
    if (refusal !== null) return refusal;
  }
  return null;
}
