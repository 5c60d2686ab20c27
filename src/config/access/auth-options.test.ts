import { checkedAuth, isIssuer } from './auth-options.js';

const OIDC = { issuer: 'https://login.example.com/realms/acme', audience: ['flowgate'] };
const faultOf = (given: unknown, actor?: unknown): string => {
  try {
    checkedAuth(given, actor);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

describe('the option auth', () => {
  it('asks nobody where it is left out', () => {
    expect([checkedAuth(undefined, undefined), checkedAuth(null, () => 'ada')]).toEqual([null, null]);
  });

  it('has defaults', () => {
    expect(checkedAuth({ keys: {} }, undefined)).toEqual({
      principal: null,
      keys: { maxKeyDays: 365, bootstrapKeySha256: null },
      oidc: null,
      accessFile: null,
      maxRequestsPerOwner: null,
      metricsPublic: false,
      audit: true,
      auditRetentionDays: 3650,
    });
    expect(checkedAuth({ oidc: { ...OIDC, scopes: undefined } }, undefined)?.oidc).toEqual({
      ...OIDC,
      algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
      subjectClaim: 'sub',
      groupsClaim: 'groups',
      scopes: [],
      consoleClientId: null,
    });
  });

  it('is not beside actor', () => {
    expect(faultOf({ keys: {} }, () => 'ada')).toContain('leave out actor');
    expect(faultOf({ principal: () => null }, () => 'ada')).toContain('leave out actor');
  });

  it.each<readonly [unknown, string]>([
    [true, 'auth is true: it must be an object.'],
    [{}, 'neither keys nor oidc'],
    [{ keys: null }, 'neither keys nor oidc'],
    [{ keys: 7 }, 'auth.keys is 7'],
    [{ principal: 'ada' }, 'auth.principal is ada: it must be a function'],
    [{ principal: () => null, keys: {} }, 'leave those out where the host says who is asking'],
    [{ principal: () => null, oidc: OIDC }, 'leave those out where the host says who is asking'],
    [{ keys: { maxKeyDays: 0 } }, 'auth.keys.maxKeyDays is 0: it must be a whole number from 1 to 3650.'],
    [{ keys: { maxKeyDays: 1.5 } }, 'auth.keys.maxKeyDays'],
    [{ keys: { bootstrapKeySha256: 'fgk_secret' } }, 'auth.keys.bootstrapKeySha256 is its value (not shown)'],
    [{ oidc: [] }, 'auth.oidc is'],
    [
      { oidc: { ...OIDC, issuer: 'http://login.example.com' } },
      'auth.oidc.issuer is http://login.example.com',
    ],
    [{ oidc: { ...OIDC, audience: [] } }, 'auth.oidc.audience'],
    [{ oidc: { ...OIDC, audience: 'flowgate' } }, 'auth.oidc.audience'],
    [{ oidc: { ...OIDC, algorithms: ['HS256'] } }, 'auth.oidc.algorithms'],
    [{ oidc: { ...OIDC, algorithms: [] } }, 'auth.oidc.algorithms'],
    [{ oidc: { ...OIDC, subjectClaim: '' } }, 'auth.oidc.subjectClaim'],
    [{ oidc: { ...OIDC, scopes: ['a"b'] } }, 'auth.oidc.scopes'],
    [{ oidc: { ...OIDC, consoleClientId: 'a b' } }, 'auth.oidc.consoleClientId is a b'],
    [{ keys: {}, accessFile: 7 }, 'auth.accessFile is 7'],
    [{ keys: {}, metricsPublic: 'yes' }, 'auth.metricsPublic is yes'],
    [{ keys: {}, audit: 'yes' }, 'auth.audit is yes'],
    [{ keys: {}, auditRetentionDays: 0 }, 'auth.auditRetentionDays is 0'],
  ])('%j is refused', (given, said) => {
    expect(faultOf(given)).toContain(said);
    expect(faultOf(given)).not.toContain('fgk_secret');
  });

  it.each([
    ['https://login.example.com', true],
    ['https://login.example.com/realms/acme/', true],
    ['http://127.0.0.1:8080/realms/acme', true],
    ['http://localhost:8080', true],
    ['http://[::1]:8080', true],
    ['http://login.example.com', false],
    ['https://user:word@login.example.com', false],
    ['https://login.example.com?a=1', false],
    ['ftp://login.example.com', false],
    ['login.example.com', false],
    ['https://', false],
  ])('an issuer may be %s: %s', (issuer, may) => {
    expect(isIssuer(issuer)).toBe(may);
  });
});
