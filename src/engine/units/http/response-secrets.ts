import { basicAuthorization, decodePercent } from './target.js';

/** A shorter header is likely to be an ordinary word or figure, and hiding it would spoil what a unit says. */
const MIN_HEADER_LENGTH = 6;

/** Headers that describe a message and prove nothing. */
const ORDINARY_HEADERS = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-language',
  'content-type',
  'date',
  'from',
  'host',
  'origin',
  'pragma',
  'prefer',
  'referer',
  'user-agent',
]);

/**
 * Returns what must not come back in a response (decision 0028), next to the secrets that were filled in: the value of each
 * header that is not an ordinary one, from 6 characters on, whole and in its parts (the token after its scheme, the password
 * of basic credentials, the values of cookies), and the password of the endpoint.
 */
export function secretsOfResponse(
  endpoint: string,
  headers: Readonly<Record<string, string>>,
): readonly string[] {
  const values = Object.entries(headers)
    .filter(([name]) => !ORDINARY_HEADERS.has(name.toLowerCase()))
    .flatMap(([name, value]) => partsOfHeader(name.toLowerCase(), value))
    .filter((value) => value.length >= MIN_HEADER_LENGTH);
  return [...values, ...passwordsOf(endpoint)];
}

function partsOfHeader(name: string, value: string): readonly string[] {
  if (name === 'cookie') {
    return [value, ...value.split(';').map((cookie) => cookie.slice(cookie.indexOf('=') + 1).trim())];
  }
  const [, scheme = '', token] = /^(\S+)\s+(\S.*)$/.exec(value) ?? [];
  if (token === undefined) return [value];
  if (scheme.toLowerCase() !== 'basic') return [value, token];
  const credentials = Buffer.from(token, 'base64').toString();
  return [value, token, credentials, credentials.slice(credentials.indexOf(':') + 1)];
}

function passwordsOf(endpoint: string): readonly string[] {
  if (!URL.canParse(endpoint)) return [];
  const url = new URL(endpoint);
  if (url.password === '') return [];
  const password = decodePercent(url.password);
  return [
    url.password,
    password,
    `${decodePercent(url.username)}:${password}`,
    basicAuthorization(url).slice(6),
  ];
}
