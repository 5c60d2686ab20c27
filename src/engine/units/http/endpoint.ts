const MAX_ENDPOINT_LENGTH = 8192;

/** Null for an absolute http or https URL, else what is wrong, to follow the field's name; never the value. */
export function problemOfEndpoint(endpoint: unknown): string | null {
  if (typeof endpoint !== 'string') return 'must be a string: an absolute http or https URL';
  if (endpoint.length > MAX_ENDPOINT_LENGTH) return `must be at most ${MAX_ENDPOINT_LENGTH} characters long`;
  // URL parsers drop these without a word; the address called would not be the one that was written.
  if (/[\s\p{Cc}]/u.test(endpoint)) return 'must not hold white space or control characters';
  if (!/^https?:\/\//i.test(endpoint) || !URL.canParse(endpoint))
    return 'must be an absolute http or https URL';
  return null;
}
