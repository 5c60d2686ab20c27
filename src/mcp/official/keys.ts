import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Permitted } from '../../http/access/permitted.js';
import type { EngineModuleOptions } from '../../engine.module.js';

const KEY_BYTES = 32;
const TAG_CHARS = 22;

/** Of the options of an instance those that say what it signs with. */
export type KeyOptions = Pick<EngineModuleOptions, 'encryptionKey' | 'database'>;

/**
 * What the keys that the gateway signs with are made of: the encryption key if there is one, else a key that replicas share by their
 * database; with both signatures hold after a restart and in every process of the service. Otherwise it is random, for this process
 * alone.
 */
export async function rootKey({ encryptionKey, database }: KeyOptions): Promise<Uint8Array> {
  return encryptionKey ?? (await database?.sharedKey()) ?? randomBytes(KEY_BYTES);
}

/** The key that the gateway signs with, for one purpose alone. */
export function signingKey(root: Uint8Array, purpose: 'sessions' | 'questions'): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', root, '', `flowgate/mcp/${purpose}`, KEY_BYTES));
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
export function authInfoOf(
  principal: string | null | undefined,
  caller: string,
  permitted: Permitted,
): AuthInfo {
  return { token: '', clientId: '', scopes: [], extra: { person: principal, caller, permitted } };
}

/** What the caller may do. Throws where nobody has said so: then nothing may be done. */
export function permittedOf(authInfo: AuthInfo | undefined): Permitted {
  const permitted = authInfo?.extra?.['permitted'] as Permitted | undefined;
  if (permitted === undefined)
    throw new Error('A request came to the gateway without what its sender may do');
  return permitted;
}
