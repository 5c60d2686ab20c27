import { basicAuthorization, decodePercent } from './target.js';

const MASK = '***';

/** A value of a single character (`X-Version: 1`) is no secret, and hiding it would make any text unreadable. */
const MIN_SECRET_LENGTH = 2;

/**
 * Hides, in a text that may become an error, what an endpoint's address and headers hold: the user, the
 * password, the values of the query, every header's value, and a token behind its scheme (`Bearer …`). Also
 * as a unit may echo them: percent-encoded, inside a JSON string, or as basic authentication.
 */
export function createSecretMask(
  endpoint: string,
  headers: Readonly<Record<string, string>>,
  others: readonly string[] = [],
): (text: string) => string {
  const forms = new Set<string>();
  for (const secret of [...secretsOfAddress(endpoint), ...secretsOfHeaders(headers), ...others]) {
    for (const form of formsOf(secret)) {
      if (form.length >= MIN_SECRET_LENGTH) forms.add(form);
    }
  }
  // Longest first: a secret that contains another one must go as a whole.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  return (text) => {
    let masked = text;
    for (const form of ordered) masked = masked.replaceAll(form, MASK);
    return masked;
  };
}

function secretsOfAddress(endpoint: string): readonly string[] {
  if (!URL.canParse(endpoint)) return [];
  const url = new URL(endpoint);
  const query = [...url.searchParams.values()];
  if (url.username === '' && url.password === '') return query;
  const authorization = basicAuthorization(url);
  return [
    ...query,
    authorization.slice('Basic '.length),
    url.username,
    url.password,
    decodePercent(url.username),
    decodePercent(url.password),
  ];
}

function secretsOfHeaders(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.values(headers).flatMap((value) => {
    const token = /^\S+\s+(\S.*)$/.exec(value)?.[1];
    return token === undefined ? [value] : [value, token];
  });
}

/** As it is, on one line as an excerpt would show it, and as the two encodings an echo is likely to use. */
function formsOf(secret: string): readonly string[] {
  return [
    secret,
    secret.replaceAll(/\s+/g, ' ').trim(),
    JSON.stringify(secret).slice(1, -1),
    encodePercent(secret),
  ];
}

function encodePercent(secret: string): string {
  try {
    return encodeURIComponent(secret);
  } catch {
    return secret;
  }
}
