import { createHash } from 'node:crypto';

/** Eight characters that change with the bytes, as the names of files have them. */
export function hashOf(bytes) {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 8).toUpperCase();
}
