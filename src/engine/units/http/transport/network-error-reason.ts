import { errors as undiciErrors } from 'undici';

const UNREQUESTED_CONTINUE =
  'the unit sent 100 Continue, which was not asked for: switch that off in its server';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection reset'],
  ['EPIPE', 'connection closed'],
  ['UND_ERR_SOCKET', 'connection closed'],
  ['UND_ERR_CLOSED', 'transport is closed'],
  ['UND_ERR_DESTROYED', 'transport is closed'],
  ['ENOTFOUND', 'host not found'],
  ['EAI_AGAIN', 'host name lookup failed'],
  ['EHOSTUNREACH', 'host unreachable'],
  ['ENETUNREACH', 'network unreachable'],
  ['EADDRNOTAVAIL', 'no local address available'],
  ['ETIMEDOUT', 'connection timed out'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connection timed out'],
  ['UND_ERR_HEADERS_OVERFLOW', 'response headers too large'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'connection closed'],
  ['CERT_HAS_EXPIRED', 'TLS certificate has expired'],
  ['CERT_NOT_YET_VALID', 'TLS certificate is not yet valid'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS certificate is self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'TLS certificate is self-signed'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'TLS certificate cannot be verified'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'TLS certificate cannot be verified'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'TLS certificate cannot be verified'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'TLS certificate is for another host'],
  ['EPROTO', 'TLS handshake failed'],
  // undici gives most of its parser's errors no code, only a name.
  ['HTTPParserError', 'response is not HTTP'],
]);

/**
 * undici ends the connection at a `100 Continue` that no `Expect` requested, though RFC 9110 (section 15.2) has a client
 * pass over it. No option or handler of undici changes that, and reading the socket in its place would mean patching what it
 * reads. Of its errors only this message shows that it happened while a call waited.
 */
function isUnrequestedContinue(error: unknown): boolean {
  return error instanceof undiciErrors.SocketError && error.message === 'bad response';
}

/**
 * What went wrong with a call, as one short phrase made of the error's code alone: messages of network
 * errors name addresses and, sometimes, what stood in them.
 */
export function networkErrorReason(error: unknown): string {
  if (isUnrequestedContinue(error)) return UNREQUESTED_CONTINUE;
  for (const code of codesOf(error)) {
    const reason = REASONS.get(code);
    if (reason !== undefined) return reason;
    if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return 'TLS handshake failed';
    if (code.startsWith('HPE_')) return 'response is not HTTP';
    if (/^(?:E[A-Z]+|[A-Z_]*CERT[A-Z_]*)$/.test(code)) return code;
  }
  return 'request failed';
}

/** The codes and names of the error, of its causes, and of the attempts (one per address) that it sums up. */
function codesOf(error: unknown, depth = 0): string[] {
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const { code, name, cause, errors } = error as Readonly<Record<string, unknown>>;
  const attempts = Array.isArray(errors) ? errors.flatMap((attempt) => codesOf(attempt, depth + 1)) : [];
  const own = [code, name].filter((text) => typeof text === 'string');
  return [...own, ...attempts, ...codesOf(cause, depth + 1)];
}
