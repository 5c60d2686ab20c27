/** Only what this service serves, and no text that becomes a script or a style: the guide is read, and asks for nothing but its index. */
const POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

/** Of every file of the guide. */
export const GUIDE_HEADERS = {
  'Content-Security-Policy': POLICY.join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;
