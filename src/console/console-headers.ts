/**
 * Only what this service serves, and no text that becomes a script or a style: `flowgate-worker` names the one policy by which the
 * console makes the address of a worker of its own files.
 */
const POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "img-src 'self' data:",
  "require-trusted-types-for 'script'",
  'trusted-types flowgate-worker',
].join('; ');

const NOSNIFF = { 'X-Content-Type-Options': 'nosniff' } as const;

/** Of the page. A worker brings its policy with its own file, so scripts have it as well. */
export const PAGE_HEADERS = {
  ...NOSNIFF,
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
} as const;

/** Of `settings.json`. */
export const SETTINGS_HEADERS = { ...NOSNIFF, 'Cache-Control': 'no-store' } as const;

/** A name that changes with the content is kept for a year; any other is asked for each time. */
export function cacheControl(isImmutable: boolean): string {
  return isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache';
}
