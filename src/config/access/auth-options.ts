import { inspect } from 'node:util';
import { ConfigError } from '../../errors/service-errors.js';
import { AUDIT_RETENTION_DAYS } from '../../engine/engine-defaults.js';
import { isLoopback } from './loopback.js';
import type { NamePrincipal } from './host-principal.js';

/** The algorithms of signatures that tokens may have: those with a key pair, so that who checks cannot sign. */
export const TOKEN_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;
export type TokenAlgorithm = (typeof TOKEN_ALGORITHMS)[number];

/** API keys, which the service makes and revokes itself. */
export interface KeyAuthOptions {
  /** The longest time that a key is good for, in days, 1 to 3,650. Default 365. */
  readonly maxKeyDays?: number;
  /**
   * The SHA-256, in hex, of a key that whoever starts the service made up: it makes keys, and does nothing else, as long as no key
   * lives that may manage keys everywhere. Null: there is none. Default null.
   */
  readonly bootstrapKeySha256?: string | null;
}

/** Tokens of one OpenID Connect provider. */
export interface OidcAuthOptions {
  /** Where discovery begins: an https URL, or http on a loopback address. */
  readonly issuer: string;
  /** Whom tokens must be meant for: any of these. */
  readonly audience: readonly string[];
  /** Which signatures are taken. Default `["RS256", "PS256", "ES256", "EdDSA"]`. */
  readonly algorithms?: readonly TokenAlgorithm[];
  /** The claim that names the owner; `email` counts only with `email_verified`. Default `sub`. */
  readonly subjectClaim?: string;
  /** The claim with the list of groups. Default `groups`. */
  readonly groupsClaim?: string;
  /** What clients are told to ask the provider for, with each 401. Default `[]`. */
  readonly scopes?: readonly string[];
  /**
   * The public client by which people sign in to the console by a redirect to the provider, with `scopes`, else `openid`. Null: they
   * paste a token. Default null.
   */
  readonly consoleClientId?: string | null;
}

/** Who may ask, and how that is known: `keys`, `oidc` or both of them, or `principal` alone. */
export interface AuthOptions {
  readonly keys?: KeyAuthOptions;
  readonly oidc?: OidcAuthOptions;
  /**
   * For a host that knows its users: called after its global guards, for every request but those for what is open, and again every
   * two seconds for each open stream. Nobody: 401. An `HttpException` keeps its status, and what throws something else, or takes
   * longer than 5 s, is 503. Not beside `keys` and `oidc`.
   */
  readonly principal?: NamePrincipal;
  /** A JSON file that says what the owners and groups of tokens may do, and which roles there are. Default null. */
  readonly accessFile?: string | null;
  /** Whether `GET /metrics` is open to everyone. Default false. */
  readonly metricsPublic?: boolean;
  /** Whether it is recorded who does what, for `GET /audit`. The store must keep an audit. Default true. */
  readonly audit?: boolean;
  /** How many days what was recorded is kept, 1 to 36,500; runs that are purged keep theirs. Default 3,650. */
  readonly auditRetentionDays?: number;
  /** How many requests of one owner this process takes a second, 1 to 1,000,000; null: any number. Default null. */
  readonly maxRequestsPerOwner?: number | null;
}

/** The options with their defaults; null: that one is off. */
export interface CheckedAuth {
  readonly principal: NamePrincipal | null;
  readonly keys: Readonly<Required<KeyAuthOptions>> | null;
  readonly oidc: Readonly<Required<OidcAuthOptions>> | null;
  readonly accessFile: string | null;
  readonly metricsPublic: boolean;
  readonly audit: boolean;
  readonly auditRetentionDays: number;
  readonly maxRequestsPerOwner: number | null;
}

export const KEY_AUTH_DEFAULTS = {
  maxKeyDays: 365,
  bootstrapKeySha256: null,
} as const satisfies Required<KeyAuthOptions>;

export const OIDC_AUTH_DEFAULTS = {
  algorithms: TOKEN_ALGORITHMS,
  subjectClaim: 'sub',
  groupsClaim: 'groups',
  scopes: [],
  consoleClientId: null,
} as const satisfies Omit<Required<OidcAuthOptions>, 'issuer' | 'audience'>;

export const AUDIT_DEFAULTS = { audit: true, auditRetentionDays: AUDIT_RETENTION_DAYS } as const;
export const AUDIT_DAYS = [1, 36_500] as const;
export const REQUESTS_PER_OWNER = [1, 1_000_000] as const;
export const KEY_DAYS = [1, 3_650] as const;
export const SHA256_HEX = { allowed: '64 characters of hex', pattern: /^[0-9A-Fa-f]{64}$/ };
export const ISSUER = {
  allowed: 'an https URL without a query, or an http one of a loopback address',
  pattern: /^https?:\/\/[^\s/?#]+[^\s?#]*$/i,
};
/** Audiences and scopes, as they stand in tokens and in the parameter of OAuth: a comma separates them in a setting. */
export const CLAIM_TEXT = {
  allowed: 'texts without blanks, separated by commas',
  pattern: /^[!#-+\--[\]-~]{1,512}$/,
};
export const CLIENT_ID = { allowed: 'a text without blanks', pattern: /^[!-~]{1,256}$/ };
export const CLAIM_NAME = { allowed: 'the name of a claim', pattern: /^[!-~]{1,256}$/ };

interface Fault {
  readonly variable: string;
  readonly message: string;
}

const MAX_SHOWN = 100;

/**
 * The options of a host or the service; null: nobody is asked. Throws a `ConfigError` that names every fault, because JavaScript
 * hosts can pass anything.
 */
export function checkedAuth(given: unknown, actor: unknown): CheckedAuth | null {
  if (given === undefined || given === null) return null;
  if (!isRecord(given)) throw new ConfigError([fault('auth', given, 'an object')]);
  const {
    keys,
    oidc,
    principal,
    accessFile = null,
    metricsPublic = false,
    maxRequestsPerOwner: rate = null,
  } = given;
  const { audit, auditRetentionDays } = { ...AUDIT_DEFAULTS, ...defined(given) } as Record<
    keyof typeof AUDIT_DEFAULTS,
    unknown
  >;
  const faults = [
    ...(actor === undefined ? [] : [BESIDE_ACTOR]),
    ...(isGiven(keys) || isGiven(oidc) || isGiven(principal) ? [] : [NOBODY]),
    ...(isGiven(principal) && (isGiven(keys) || isGiven(oidc)) ? [BESIDE_KEYS] : []),
    ...rule(
      'auth.principal',
      principal,
      !isGiven(principal) || typeof principal === 'function',
      'a function that names who sends a request',
    ),
    ...faultsOfKeys(keys),
    ...faultsOfOidc(oidc),
    ...rule(
      'auth.accessFile',
      accessFile,
      isGiven(accessFile) ? isText(accessFile) : true,
      'the path of a file',
    ),
    ...rule(
      'auth.maxRequestsPerOwner',
      rate,
      rate === null || isWithin(rate, REQUESTS_PER_OWNER),
      'a whole number from 1 to 1000000',
    ),
    ...rule('auth.metricsPublic', metricsPublic, typeof metricsPublic === 'boolean', 'true or false'),
    ...rule('auth.audit', audit, typeof audit === 'boolean', 'true or false'),
    ...rule(
      'auth.auditRetentionDays',
      auditRetentionDays,
      isWithin(auditRetentionDays, AUDIT_DAYS),
      `a whole number from ${AUDIT_DAYS.join(' to ')}`,
    ),
  ];
  if (faults.length > 0) throw new ConfigError(faults);
  return {
    principal: isGiven(principal) ? (principal as NamePrincipal) : null,
    keys: isGiven(keys) ? { ...KEY_AUTH_DEFAULTS, ...(defined(keys) as KeyAuthOptions) } : null,
    oidc: isGiven(oidc) ? { ...OIDC_AUTH_DEFAULTS, ...(defined(oidc) as unknown as OidcAuthOptions) } : null,
    accessFile: accessFile as string | null,
    metricsPublic: metricsPublic as boolean,
    audit: audit as boolean,
    auditRetentionDays: auditRetentionDays as number,
    maxRequestsPerOwner: rate as number | null,
  };
}

/** Whether tokens, and the keys to check them with, come from there without being read on the way. */
export function isIssuer(text: string): boolean {
  if (!ISSUER.pattern.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

const BESIDE_ACTOR = {
  variable: 'auth',
  message: 'auth and actor are both set: leave out actor, since auth says who is asking.',
};
const BESIDE_KEYS = {
  variable: 'auth.principal',
  message:
    'auth.principal is set, and keys or oidc as well: leave those out where the host says who is asking, or leave out principal.',
};
const NOBODY = {
  variable: 'auth',
  message:
    'auth has neither keys nor oidc nor principal, so nobody could get in: set one of them, or leave auth out.',
};

function faultsOfKeys(given: unknown): readonly Fault[] {
  if (!isGiven(given)) return [];
  if (!isRecord(given)) return [fault('auth.keys', given, 'an object')];
  const { maxKeyDays, bootstrapKeySha256: hash } = { ...KEY_AUTH_DEFAULTS, ...defined(given) } as Record<
    keyof KeyAuthOptions,
    unknown
  >;
  const [least, most] = KEY_DAYS;
  const isHash = typeof hash === 'string' && SHA256_HEX.pattern.test(hash);
  return [
    ...rule(
      'auth.keys.maxKeyDays',
      maxKeyDays,
      isWithin(maxKeyDays, KEY_DAYS),
      `a whole number from ${least} to ${most}`,
    ),
    ...rule('auth.keys.bootstrapKeySha256', NOT_SHOWN, hash === null || isHash, SHA256_HEX.allowed),
  ];
}

function faultsOfOidc(given: unknown): readonly Fault[] {
  if (!isGiven(given)) return [];
  if (!isRecord(given)) return [fault('auth.oidc', given, 'an object')];
  const { issuer, audience, algorithms, subjectClaim, groupsClaim, scopes, consoleClientId } = {
    ...OIDC_AUTH_DEFAULTS,
    ...defined(given),
  } as Record<keyof OidcAuthOptions, unknown>;
  const isClaim = (name: unknown): boolean => typeof name === 'string' && CLAIM_NAME.pattern.test(name);
  const isClient = (id: unknown): boolean => typeof id === 'string' && CLIENT_ID.pattern.test(id);
  const isAlgorithm = (one: unknown): boolean => TOKEN_ALGORITHMS.some((known) => known === one);
  const isClaimText = (one: unknown): boolean => typeof one === 'string' && CLAIM_TEXT.pattern.test(one);
  return [
    ...rule('auth.oidc.issuer', issuer, typeof issuer === 'string' && isIssuer(issuer), ISSUER.allowed),
    ...rule(
      'auth.oidc.audience',
      audience,
      isListOf(audience, isClaimText, 1),
      'a list of at least one text without blanks',
    ),
    ...rule(
      'auth.oidc.algorithms',
      algorithms,
      isListOf(algorithms, isAlgorithm, 1),
      `a list of ${TOKEN_ALGORITHMS.join(', ')}`,
    ),
    ...rule('auth.oidc.subjectClaim', subjectClaim, isClaim(subjectClaim), CLAIM_NAME.allowed),
    ...rule('auth.oidc.groupsClaim', groupsClaim, isClaim(groupsClaim), CLAIM_NAME.allowed),
    ...rule('auth.oidc.scopes', scopes, isListOf(scopes, isClaimText, 0), 'a list of texts without blanks'),
    ...rule(
      'auth.oidc.consoleClientId',
      consoleClientId,
      consoleClientId === null || isClient(consoleClientId),
      CLIENT_ID.allowed,
    ),
  ];
}

function isListOf(given: unknown, isOne: (one: unknown) => boolean, least: number): boolean {
  return Array.isArray(given) && given.length >= least && given.every(isOne);
}

function isWithin(given: unknown, [least, most]: readonly [number, number]): boolean {
  return Number.isInteger(given) && Number(given) >= least && Number(given) <= most;
}

function isText(given: unknown): given is string {
  return typeof given === 'string' && given !== '';
}

/** An undefined option counts as left out. */
function defined(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function isGiven<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** In the place of what may not be told. */
const NOT_SHOWN = Symbol('its value (not shown)');

function rule(variable: string, value: unknown, holds: boolean, allowed: string): readonly Fault[] {
  return holds ? [] : [fault(variable, value, allowed)];
}

function fault(variable: string, value: unknown, allowed: string): Fault {
  return { variable, message: `${variable} is ${shown(value)}: it must be ${allowed}.` };
}

function shown(value: unknown): string {
  if (value === NOT_SHOWN) return 'its value (not shown)';
  return (typeof value === 'string' ? value : inspect(value)).slice(0, MAX_SHOWN);
}
