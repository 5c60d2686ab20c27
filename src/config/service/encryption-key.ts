import type { FlowgateConfig } from './settings.js';

const HEX_LENGTH = 64;

/** The key as its 32 bytes, which the configuration has checked that it is; null: nothing is encrypted. */
export function encryptionKeyIn({ encryptionKey }: Pick<FlowgateConfig, 'encryptionKey'>): Uint8Array | null {
  if (encryptionKey === null) return null;
  return Buffer.from(encryptionKey, encryptionKey.length === HEX_LENGTH ? 'hex' : 'base64');
}
