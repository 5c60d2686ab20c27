import type { TransportResponse } from '../../../ports/unit-transport.js';
import { AddressRefusedError } from '../addresses/checked-connector.js';
import { networkErrorReason } from './network-error-reason.js';
import { ResponseStalledError, ResponseTooLargeError } from './response-collector.js';
import { ContentEncodingError } from './response-text.js';

/** The attempt that the call was made for is over. */
export class CallAbortedError extends Error {
  override readonly name = 'CallAbortedError';
}

/** `close` was called. */
export class TransportClosedError extends Error {
  override readonly name = 'TransportClosedError';
  readonly code = 'UND_ERR_CLOSED';
}

/** What the transport returns for a call that failed. */
export function failureOf(error: unknown): TransportResponse {
  if (error instanceof CallAbortedError) return { kind: 'network-error', reason: 'aborted' };
  if (error instanceof AddressRefusedError) return { kind: 'refused', reason: error.message };
  if (error instanceof ResponseTooLargeError) return { kind: 'too-large' };
  if (error instanceof ResponseStalledError) {
    return {
      kind: 'network-error',
      reason: 'the answer came to a halt while other large ones waited for it',
    };
  }
  if (error instanceof ContentEncodingError) {
    return { kind: 'network-error', reason: 'content encoding of the response cannot be read' };
  }
  return { kind: 'network-error', reason: networkErrorReason(error) };
}
