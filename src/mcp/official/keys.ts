import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { EngineModuleOptions } from '../../engine.module.js';
import type { RequestContext } from '../../http/identity/request-context.js';

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

/** The context of the request, for whom and by which engine it is served. Throws without one: then nobody may do anything. */
export function contextIn(authInfo: AuthInfo | undefined): RequestContext {
  const context = authInfo?.extra?.['context'] as RequestContext | undefined;
  if (context === undefined) throw new Error('A request of MCP came without its context');
  return context;
}

/**
 * Who it is and, where that is authenticated, in which namespace: what sessions and questions are bound to. No principal that
 * a host names has a line break. Null: nobody knows.
 */
export function personIn({ engine, principal }: RequestContext): string | null {
  const { actor, namespace } = engine;
  return actor === null ? (principal ?? null) : `\n${namespace}\n${actor.owner ?? ''}`;
}

/** Distinguishes persons without naming them. */
export function personTag(key: Uint8Array, context: RequestContext): string {
  const person = personIn(context);
  if (person === null) return '';
  return createHmac('sha256', key).update(person).digest('base64url').slice(0, TAG_CHARS);
}

/** Passes the context through the SDK, which checks no token itself. */
export function authInfoOf(context: RequestContext): AuthInfo {
  return { token: '', clientId: '', scopes: [], extra: { context } };
}
