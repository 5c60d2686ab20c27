import { createHash } from 'node:crypto';

/**
 * Only what this service serves, and no text that becomes a script or a style: `flowgate-worker` names the one policy by which the
 * console makes the address of a worker of its own files.
 */
const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'connect-src': "'self'",
  'worker-src': "'self'",
  'img-src': "'self' data:",
  'require-trusted-types-for': "'script'",
  'trusted-types': 'flowgate-worker',
};

const NOSNIFF = { 'X-Content-Type-Options': 'nosniff' } as const;

/**
 * Of a script or a style. A worker brings its policy with its own file, so scripts have one as well. None of them is fetched from
 * anywhere but here: only the page itself gets tokens of the provider.
 */
export const FILE_HEADERS = headersWith(POLICY);

/** Of the page, which gets tokens from the origin; null: it signs nobody in. */
export function pageHeaders(tokenOrigin: string | null): Readonly<Record<string, string>> {
  if (tokenOrigin === null) return FILE_HEADERS;
  return headersWith({ ...POLICY, 'connect-src': `'self' ${tokenOrigin}` });
}

function headersWith(policy: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const text = Object.entries(policy).map(([name, value]) => `${name} ${value}`);
  return { ...NOSNIFF, 'Content-Security-Policy': text.join('; '), 'Referrer-Policy': 'no-referrer' };
}

/** Of `settings.json`. */
export const SETTINGS_HEADERS = { ...NOSNIFF, 'Cache-Control': 'no-store' } as const;

/** The tag of a page that allows an origin; null: none. */
export function tagWith(etag: string, origin: string | null): string {
  if (origin === null) return etag;
  const hash = createHash('sha256').update(origin).digest('base64url').slice(0, 8);
  return etag.replace(/"$/, `-${hash}"`);
}
