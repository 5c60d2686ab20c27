/** Goes with every 401 (RFC 6750, 3). */
export const CHALLENGE_HEADER = 'WWW-Authenticate';

/** Of an `Access` what a challenge says. */
export interface Challenging {
  readonly scopes: readonly string[];
}

/** The same whatever was wrong. `resourceMetadata`: where a client reads how it gets a token; null: it is not told. */
export function challengeOf({ scopes }: Challenging, resourceMetadata: string | null = null): string {
  const parameters = [
    ...(resourceMetadata === null ? [] : [`resource_metadata="${resourceMetadata}"`]),
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]),
  ];
  return ['Bearer', parameters.join(', ')].join(' ').trim();
}
