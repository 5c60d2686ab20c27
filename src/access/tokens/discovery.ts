import { isLocal, isSafeUrl } from './oidc-faults.js';

/** Where an issuer says what there is to know of it. */
export function discoveryUrl(issuer: string): URL {
  return new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
}

/** Where the issuer has its signing keys, as its document says. Throws where that cannot be relied on. */
export function keySetUrl(document: string, issuer: string): URL {
  const parsed: unknown = JSON.parse(document);
  const { issuer: named, jwks_uri: uri } = Object(parsed) as Readonly<Record<string, unknown>>;
  if (named !== issuer)
    throw new Error(
      'The document of the issuer names another one: set FLOWGATE_OIDC_ISSUER to exactly what it names',
    );
  const url = typeof uri === 'string' ? URL.parse(uri) : null;
  // Only an issuer on this machine may send us to this machine.
  const isSafe = url !== null && isSafeUrl(url) && (url.protocol === 'https:' || isLocal(new URL(issuer)));
  if (!isSafe) throw new Error('The document of the issuer has no jwks_uri with https');
  return url;
}
