import { isOwner, MAX_GROUPS } from '../../engine/index.js';

/** The clock of an issuer may be so much ahead of ours. */
export const CLOCK_SKEW_MS = 30_000;
const MAX_LIFE_MS = 24 * 60 * 60_000;
const MAX_KID_CHARS = 256;
const TYPES: readonly unknown[] = ['at+jwt', 'jwt'];

type JsonRecord = Readonly<Record<string, unknown>>;

/** What a token has to be, to be taken. */
export interface TokenRules {
  readonly issuer: string;
  readonly audience: readonly string[];
  readonly algorithms: readonly string[];
  readonly subjectClaim: string;
  readonly groupsClaim: string | null;
}

/** Whom a token is of. Instants are epoch ms. */
export interface TokenClaims {
  /** The token's own id; the owner's name where it has none. */
  readonly id: string;
  readonly owner: string;
  readonly name: string | null;
  readonly groups: readonly string[];
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** The claims of a token; a text: why it is refused, for the log, with nothing in it that the token says. `now`: epoch ms. */
export function tokenClaims(
  header: JsonRecord,
  payload: JsonRecord,
  rules: TokenRules,
  now: number,
): TokenClaims | string {
  return (
    faultOfHeader(header, rules) ??
    faultOfRecipient(payload, rules) ??
    faultOfTimes(payload, now) ??
    ownerOf(payload, rules)
  );
}

function faultOfHeader(header: JsonRecord, { algorithms }: TokenRules): string | null {
  const { alg, typ, kid } = header;
  if (typeof alg !== 'string' || !algorithms.includes(alg)) return 'its algorithm is not allowed';
  if (typ !== undefined && !TYPES.includes(mediaType(typ))) return 'its type is not at+jwt or JWT';
  if (kid !== undefined && (typeof kid !== 'string' || kid.length > MAX_KID_CHARS))
    return 'its key id is malformed';
  return null;
}

function faultOfRecipient(payload: JsonRecord, { issuer, audience }: TokenRules): string | null {
  if (claim(payload, 'iss') !== issuer) return 'it is of another issuer';
  const aud = claim(payload, 'aud');
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.some((one) => typeof one === 'string' && audience.includes(one)))
    return 'it is meant for another audience';
  return claim(payload, 'cnf') === undefined ? null : 'it needs a proof (cnf) that nobody checks here';
}

function faultOfTimes(payload: JsonRecord, now: number): string | null {
  const [exp, iat, nbf] = [instant(payload, 'exp'), instant(payload, 'iat'), claim(payload, 'nbf')];
  if (exp === null) return 'it does not say when it expires (exp)';
  if (iat === null) return 'it does not say when it was issued (iat)';
  if (iat > now + CLOCK_SKEW_MS) return 'it was issued in the future (iat)';
  if (exp - iat > MAX_LIFE_MS) return 'it is good for more than 24 hours';
  if (exp <= now) return 'it has expired';
  if (nbf === undefined) return null;
  const notBefore = instant(payload, 'nbf');
  return notBefore !== null && notBefore <= now + CLOCK_SKEW_MS ? null : 'it is not good yet (nbf)';
}

function ownerOf(payload: JsonRecord, { subjectClaim, groupsClaim }: TokenRules): TokenClaims | string {
  const owner = claim(payload, subjectClaim);
  if (!isOwner(owner)) return 'its subject is missing or malformed';
  if (subjectClaim === 'email' && claim(payload, 'email_verified') !== true)
    return 'its email is not verified';
  const groups = groupsClaim === null ? [] : claim(payload, groupsClaim);
  if (groups !== undefined && !Array.isArray(groups)) return 'its groups are not a list';
  if ((groups?.length ?? 0) > MAX_GROUPS) return `it has more than ${MAX_GROUPS} groups`;
  const [id, name] = [claim(payload, 'jti'), claim(payload, 'name')];
  return {
    id: isOwner(id) ? id : owner,
    owner,
    name: isOwner(name) ? name : null,
    // No access file can name one that is no name: it grants nothing.
    groups: [...new Set((groups ?? []).filter(isOwner))],
    issuedAt: instant(payload, 'iat') ?? 0,
    expiresAt: instant(payload, 'exp') ?? 0,
  };
}

function claim(payload: JsonRecord, name: string): unknown {
  return Object.hasOwn(payload, name) ? payload[name] : undefined;
}

/** Epoch ms: the seconds of a token may have a fraction. */
function instant(payload: JsonRecord, name: string): number | null {
  const seconds = claim(payload, name);
  return typeof seconds === 'number' && Number.isFinite(seconds) ? Math.floor(seconds * 1000) : null;
}

/** `application/` may be left out (RFC 7515), and case says nothing. */
function mediaType(typ: unknown): unknown {
  return typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ;
}
