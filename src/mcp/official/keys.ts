import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { AuthInfo } from '@modelcontextprotocol/server';

const KEY_BYTES = 32;
const TAG_CHARS = 22;

/**
 * The key that the gateway signs with. It is derived from the encryption key if there is one, so that signatures hold
 * after a restart and in every process of the service. Otherwise it is random, for this process alone.
 */
export function signingKey(encryptionKey: Uint8Array | null, purpose: 'sessions' | 'questions'): Uint8Array {
  if (encryptionKey === null) return randomBytes(KEY_BYTES);
  return new Uint8Array(hkdfSync('sha256', encryptionKey, '', `flowgate/mcp/${purpose}`, KEY_BYTES));
}

/** The principal that the host has named; undefined: the host was not asked, null: it knows none. */
export function principalOf({ extra }: AuthInfo): string | null | undefined {
  return extra?.['person'] as string | null | undefined;
}

/** Distinguishes principals without naming them. */
export function principalTag(key: Uint8Array, authInfo: AuthInfo): string {
  const principal = principalOf(authInfo) ?? null;
  if (principal === null) return '';
  return createHmac('sha256', key).update(principal).digest('base64url').slice(0, TAG_CHARS);
}

/** The caller whose share of scarce resources a request uses. */
export function callerIn({ extra }: AuthInfo): string | undefined {
  return extra?.['caller'] as string | undefined;
}

/** Passes the principal through the SDK, which checks no token itself. */
export function authInfoOf(principal: string | null | undefined, caller: string): AuthInfo {
  return { token: '', clientId: '', scopes: [], extra: { person: principal, caller } };
}
