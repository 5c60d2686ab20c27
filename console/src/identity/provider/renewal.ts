import { renew } from './token-endpoint.js';
import type { Provider } from './authorization.js';

/** What gets another token of the same person: in the memory of this page alone, and gone with it. */
let renewable: { readonly refreshToken: string; readonly edition: number } | null = null;
let renewing: Promise<string | null> | null = null;

/** `edition`: of the sign-in that it belongs to. */
export function keepRenewable(refreshToken: string | null, edition: number): void {
  renewable = refreshToken === null ? null : { refreshToken, edition };
}

export function isRenewable(edition: number): boolean {
  return renewable?.edition === edition;
}

/** Another token of that sign-in, got once for all who ask meanwhile; null: there is none, and somebody has to sign in. */
export function renewed(provider: Provider | null, edition: number): Promise<string | null> {
  renewing ??= asked(provider, edition).finally(() => (renewing = null));
  return renewing;
}

async function asked(provider: Provider | null, edition: number): Promise<string | null> {
  if (provider === null || renewable?.edition !== edition) return null;
  const { refreshToken } = renewable;
  // It is good once with many providers: whatever comes of it, this one is not sent again.
  renewable = null;
  try {
    const tokens = await renew(provider, refreshToken);
    keepRenewable(tokens.refreshToken, edition);
    return tokens.accessToken;
  } catch {
    return null;
  }
}
