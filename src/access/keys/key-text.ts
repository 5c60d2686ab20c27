import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What tells a key from a token. */
export const KEY_PREFIX = 'fgk_';
const ID_CHARS = 16;
const SECRET_BYTES = 32;
const SECRET_CHARS = 43;
const SEPARATOR_AT = KEY_PREFIX.length + ID_CHARS;
export const KEY_CHARS = SEPARATOR_AT + 1 + SECRET_CHARS;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** A key as text, with its id. */
export interface KeyText {
  readonly id: string;
  readonly text: string;
}

/** A new key, or a new secret of the key with that id: `fgk_<id>_<secret>`. */
export function generateKey(id = generateId()): KeyText {
  return { id, text: `${KEY_PREFIX}${id}_${randomBytes(SECRET_BYTES).toString('base64url')}` };
}

/** Null: it is no key. By position, since an id ends where a secret with `_` in it would not. */
export function parseKey(text: string): KeyText | null {
  if (text.length !== KEY_CHARS || !text.startsWith(KEY_PREFIX) || text[SEPARATOR_AT] !== '_') return null;
  const id = text.slice(KEY_PREFIX.length, SEPARATOR_AT);
  return isKeyId(id) && /^[\w-]+$/.test(text.slice(SEPARATOR_AT + 1)) ? { id, text } : null;
}

export function isKeyId(text: string): boolean {
  return text.length === ID_CHARS && /^[a-z2-7]+$/.test(text);
}

/** SHA-256 in hex. A key has 256 random bits: nothing slower is needed to keep it from being guessed. */
export function hashOfKey(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Whether two hashes in hex are the same, in a time that does not say how much of them is. */
export function isSameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one, 'hex'), Buffer.from(other, 'hex')];
  return a.length === b.length && a.length > 0 && timingSafeEqual(a, b);
}

function generateId(): string {
  // 256 is a multiple of 32: each character is as likely as every other.
  return Array.from(randomBytes(ID_CHARS), (byte) => BASE32[byte % BASE32.length]).join('');
}
