import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { AuthInfo } from '@modelcontextprotocol/server';

const KEY_BYTES = 32;
const TAG_CHARS = 22;

/**
 * What the gateway signs with. From the encryption key where there is one: then what was signed holds after a restart, and
 * in every process of the service. Otherwise made for this process alone.
 */
export function signingKey(encryptionKey: Uint8Array | null, purpose: 'sessions' | 'questions'): Uint8Array {
  if (encryptionKey === null) return randomBytes(KEY_BYTES);
  return new Uint8Array(hkdfSync('sha256', encryptionKey, '', `flowgate/mcp/${purpose}`, KEY_BYTES));
}

/** Who acts, as the host says it; undefined: it was not asked, null: it knows nobody. */
export function personOf({ extra }: AuthInfo): string | null | undefined {
  return extra?.['person'] as string | null | undefined;
}

/** Tells people apart without naming them. */
export function personTag(key: Uint8Array, authInfo: AuthInfo): string {
  const person = personOf(authInfo) ?? null;
  if (person === null) return '';
  return createHmac('sha256', key).update(person).digest('base64url').slice(0, TAG_CHARS);
}

/** Whose share of what is scarce a request takes. */
export function callerIn({ extra }: AuthInfo): string | undefined {
  return extra?.['caller'] as string | undefined;
}

/** How a person travels through the SDK, which checks no token itself. */
export function authInfoOf(person: string | null | undefined, caller: string): AuthInfo {
  return { token: '', clientId: '', scopes: [], extra: { person, caller } };
}
