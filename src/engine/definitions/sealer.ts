import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { SealedError } from '../../errors/service-errors.js';

const ALGORITHM = 'aes-256-gcm';
const PREFIX = 'sealed:v1:';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts texts for the store (AES-256-GCM). Without a key it leaves them as they are. */
export class Sealer {
  /** `key` is 32 bytes, or null. */
  constructor(private readonly key: Uint8Array | null) {}

  /** Whether there is a key. */
  get isOn(): boolean {
    return this.key !== null;
  }

  seal(text: string): string {
    if (this.key === null) return text;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, iv);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return PREFIX + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** Also opens what was stored before there was a key. Throws a `SealedError` without the right key. */
  open(text: string): string {
    if (!text.startsWith(PREFIX)) return text;
    if (this.key === null) throw new SealedError();
    const bytes = Buffer.from(text.slice(PREFIX.length), 'base64');
    try {
      const decipher = createDecipheriv(ALGORITHM, this.key, bytes.subarray(0, IV_BYTES));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([
        decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)),
        decipher.final(),
      ]).toString('utf8');
    } catch {
      throw new SealedError();
    }
  }
}
