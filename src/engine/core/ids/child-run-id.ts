import { shardByteOf } from './shard.js';

/** A UUID without its dashes; the first 12 digits of a UUIDv7 are its instant. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NO_INSTANT = '0'.repeat(12);

/**
 * The id of the child run that a run began with its event `key`: always the same one, so that a start that is repeated after
 * a crash finds its own run. A UUIDv7 of the parent's instant that ends in the parent's last byte, so that both belong to
 * one shard; the 66 bits between are a hash of the two.
 */
export function childRunId(parentRunId: string, key: number): string {
  const name = `${parentRunId}\n${key}`;
  const digits = SEEDS.map((seed) => hashOf(name, seed)).join('');
  const instant = UUID.test(parentRunId) ? parentRunId.replace('-', '').slice(0, 12) : NO_INSTANT;
  const variant = '89ab'.charAt(Number.parseInt(digits.charAt(3), 16) % 4);
  const shardByte = shardByteOf(parentRunId).toString(16).padStart(2, '0');
  return [
    instant.slice(0, 8),
    instant.slice(8),
    `7${digits.slice(0, 3)}`,
    `${variant}${digits.slice(4, 7)}`,
    `${digits.slice(7, 17)}${shardByte}`,
  ].join('-');
}

const SEEDS = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d] as const;

/** A hash of eight hex digits. Callers do not choose run ids, so it only has to spread. */
function hashOf(text: string, seed: number): string {
  let hash = seed;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x5bd1e995);
    hash = (hash << 13) | (hash >>> 19);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return ((hash ^ (hash >>> 16)) >>> 0).toString(16).padStart(8, '0');
}
