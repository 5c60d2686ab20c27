import { finderOf } from '../masking/secret-forms.js';
import { basicAuthorization, decodePercent } from './target.js';

/** A value of a single character (`X-Version: 1`) is no secret, and hiding it would make any text unreadable. */
const MIN_SECRET_LENGTH = 2;

/**
 * Hides, in a text that may become an error, what an endpoint's address and headers hold: the user, the password, the values
 * of the query, every header's value, and a token after its scheme (`Bearer …`). Also as a unit may echo them:
 * percent-encoded, inside a JSON string, in base64, or as basic authentication.
 */
export function createSecretMask(
  endpoint: string,
  headers: Readonly<Record<string, string>>,
  others: readonly string[] = [],
): (text: string) => string {
  const secrets = [...secretsOfAddress(endpoint), ...secretsOfHeaders(headers), ...others];
  // A host is shown in lower case: where a secret stands for one, so is the secret.
  const finder = finderOf([...secrets, ...others.map((secret) => secret.toLowerCase())], MIN_SECRET_LENGTH);
  return (text) => finder.mask(text);
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
