import type { SignInEndpoints } from '../../http/access/sign-in.js';
import { isLocal, isSafeUrl } from './oidc-faults.js';

/** Where an issuer says what there is to know of it. */
export function discoveryUrl(issuer: string): URL {
  return new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
}

/** Where the issuer has its signing keys, as its document says. Throws where that cannot be relied on. */
export function keySetUrl(document: string, issuer: string): URL {
  return addressIn(metadataOf(document, issuer), 'jwks_uri', issuer);
}

/** Where people sign in and get tokens, as its document says. Throws where that cannot be relied on. */
export function signInEndpoints(document: string, issuer: string): SignInEndpoints {
  const metadata = metadataOf(document, issuer);
  return {
    authorization: addressIn(metadata, 'authorization_endpoint', issuer).href,
    token: addressIn(metadata, 'token_endpoint', issuer).href,
    namesIssuer: metadata['authorization_response_iss_parameter_supported'] === true,
  };
}

type Metadata = Readonly<Record<string, unknown>>;

function metadataOf(document: string, issuer: string): Metadata {
  const metadata = Object(JSON.parse(document)) as Metadata;
  if (metadata['issuer'] !== issuer)
    throw new Error(
      'The document of the issuer names another one: set FLOWGATE_OIDC_ISSUER to exactly what it names',
    );
  return metadata;
}

function addressIn(metadata: Metadata, name: string, issuer: string): URL {
  const text = metadata[name];
  const url = typeof text === 'string' ? URL.parse(text) : null;
  // Only an issuer on this machine may send us to this machine.
  const isSafe = url !== null && isSafeUrl(url) && (url.protocol === 'https:' || isLocal(new URL(issuer)));
  if (!isSafe) throw new Error(`The document of the issuer has no ${name} with https`);
  return url;
}
