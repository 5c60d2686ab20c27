import { SecretFinder } from './secret-finder.js';

/** Shorter secrets are not masked in a unit's outcome: hiding them would spoil ordinary words and figures. */
const MIN_SECRET_LENGTH = 4;

/** Finds these values, but for those that are too short, and the forms in which they are likely to be echoed. */
export function finderOf(values: readonly string[], minLength = MIN_SECRET_LENGTH): SecretFinder {
  const longEnough = (text: string): boolean => text.trim().length >= minLength;
  return new SecretFinder(values.filter(longEnough).flatMap(formsOf).filter(longEnough));
}

/**
 * A secret as an echo is likely to write it: as it is, on one line (as an excerpt shows it), inside a JSON string,
 * percent-encoded, and in base64 (without its padding).
 */
function formsOf(secret: string): readonly string[] {
  return [
    secret,
    secret.replaceAll(/\s+/g, ' ').trim(),
    JSON.stringify(secret).slice(1, -1),
    encodePercent(secret),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  ];
}

function encodePercent(secret: string): string {
  try {
    return encodeURIComponent(secret);
  } catch {
    return secret;
  }
}
