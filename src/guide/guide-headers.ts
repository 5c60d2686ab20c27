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

/**
 * Some browsers hold a picture to the policy that it comes with, and pictures have styles of their own: light and dark. They run and
 * load nothing, which the build sees to as well.
 */
const PICTURE_POLICY = [
  "script-src 'none'",
  "connect-src 'none'",
  "font-src 'none'",
  "frame-src 'none'",
  'img-src data:',
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  'sandbox',
];

const OTHERS = { 'Referrer-Policy': 'no-referrer', 'X-Content-Type-Options': 'nosniff' } as const;
const PAGE_HEADERS = { ...OTHERS, 'Content-Security-Policy': POLICY.join('; ') };
const PICTURE_HEADERS = { ...OTHERS, 'Content-Security-Policy': PICTURE_POLICY.join('; ') };

/** Of a file of that media type. */
export function guideHeaders(type: string): Readonly<Record<string, string>> {
  return type.startsWith('image/') ? PICTURE_HEADERS : PAGE_HEADERS;
}
