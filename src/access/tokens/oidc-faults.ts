import { isLoopback } from '../../config/access/loopback.js';
import type { OidcOptions } from '../access-options.js';

/** With which a token may be signed: only by whoever has a private key. `none` and the HS algorithms are left out on purpose. */
const ASYMMETRIC = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

interface Fault {
  readonly variable: string;
  readonly message: string;
}

/** What of the options cannot be used, each with what to set. */
export function oidcFaults(options: OidcOptions): readonly Fault[] {
  const faults: Fault[] = [];
  const known: readonly string[] = ASYMMETRIC;
  const isFault = (variable: string, isRight: boolean, whatToDo: string): void => {
    if (!isRight) faults.push({ variable, message: `${variable} ${whatToDo}` });
  };
  isFault(
    'FLOWGATE_OIDC_ISSUER',
    isIssuer(options.issuer),
    'must be the https URL of the issuer, without a user, query or fragment (http only on this machine)',
  );
  isFault(
    'FLOWGATE_OIDC_AUDIENCE',
    options.audience.length > 0 && !options.audience.includes(''),
    'must name at least one audience: without it each token of the issuer would be taken',
  );
  isFault(
    'FLOWGATE_OIDC_ALGORITHMS',
    options.algorithms.length > 0 && options.algorithms.every((each) => known.includes(each)),
    `must be one or more of ${ASYMMETRIC.join(', ')}`,
  );
  isFault('FLOWGATE_OIDC_SUBJECT_CLAIM', options.subjectClaim !== '', 'must name a claim, such as sub');
  isFault('FLOWGATE_OIDC_GROUPS_CLAIM', options.groupsClaim !== '', 'must name a claim, or be left out');
  return faults;
}

function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && isSafeUrl(url) && url.search === '' && !text.includes('#') && !text.includes('?');
}

/** Whether what is read there cannot be changed on the way, and the URL tells nobody a password. */
export function isSafeUrl(url: URL): boolean {
  if (url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url));
}

export function isLocal({ hostname }: URL): boolean {
  return isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
}
