import { networkErrorReason } from './network-error-reason.js';

const coded = (code: string, more: object = {}): Error =>
  Object.assign(new Error('at user:pw@host'), { code }, more);

describe('the reason of a network error', () => {
  test.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS certificate is self-signed'],
    ['CERT_HAS_EXPIRED', 'TLS certificate has expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'TLS certificate is for another host'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'TLS handshake failed'],
    ['UND_ERR_CONNECT_TIMEOUT', 'connection timed out'],
    ['HPE_INVALID_CONSTANT', 'response is not HTTP'],
    ['EMFILE', 'EMFILE'],
    ['CERT_REVOKED', 'CERT_REVOKED'],
    ['something with a password', 'request failed'],
  ])('%s is put as "%s"', (code, reason) => {
    expect(networkErrorReason(coded(code))).toBe(reason);
  });

  test('is found in the cause, and in the attempts on several addresses', () => {
    expect(networkErrorReason(new Error('x', { cause: coded('ECONNRESET') }))).toBe('connection reset');
    expect(networkErrorReason(coded('ODD', { errors: [coded('ECONNREFUSED')] }))).toBe('connection refused');
  });

  test('of what carries no code says nothing of its text', () => {
    expect(networkErrorReason(new Error('user:pw@host'))).toBe('request failed');
    expect(networkErrorReason('user:pw@host')).toBe('request failed');
    expect(networkErrorReason(undefined)).toBe('request failed');
    const ring = new Error('ring');
    ring.cause = ring;
    expect(networkErrorReason(ring)).toBe('request failed');
  });
});
