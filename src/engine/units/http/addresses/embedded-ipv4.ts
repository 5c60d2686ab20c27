import { isIPv6 } from 'node:net';

/** Where RFC 6052 puts the four bytes after a prefix of 48, 56 and 64 bits, the empty ninth byte left out. */
const SHORT_NAT64_PREFIXES = [6, 7, 8];

/**
 * The IPv4 addresses that an IPv6 address may lead to: mapped (`::ffff:0:0/96`), compatible, translated, NAT64 (the
 * well-known prefix, and the local ones in each of their lengths), 6to4, Teredo (server and client) and ISATAP. A
 * prefix of its own that a network uses for NAT64 cannot be known here.
 */
export function embeddedIpv4(address: string): readonly string[] {
  if (!isIPv6(address)) return [];
  const bytes = bytesOf(address);
  const group = (index: number): number => ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0);
  const areZero = (...indexes: readonly number[]): boolean => indexes.every((index) => group(index) === 0);
  const at = (start: number): string => bytes.slice(start, start + 4).join('.');

  // `::` and `::1` are none.
  if (areZero(0, 1, 2, 3, 4, 5)) return group(6) === 0 ? [] : [at(12)];
  if (areZero(0, 1, 2, 3, 4) && group(5) === 0xffff) return [at(12)];
  if (areZero(0, 1, 2, 3, 5) && group(4) === 0xffff) return [at(12)];
  if (group(0) === 0x64 && group(1) === 0xff9b) {
    const packed = [...bytes.slice(0, 8), ...bytes.slice(9)];
    return [at(12), ...SHORT_NAT64_PREFIXES.map((start) => packed.slice(start, start + 4).join('.'))];
  }
  if (group(0) === 0x2002) return [at(2)];
  if (group(0) === 0x2001 && group(1) === 0) {
    const client = bytes.slice(12).map((byte) => byte ^ 0xff);
    return [at(4), client.join('.')];
  }
  if ((group(4) & 0xfdff) === 0 && group(5) === 0x5efe) return [at(12)];
  return [];
}

/** The IPv4 address that this is another way to write; null: it is none, or only a way to reach one. */
export function mappedIpv4(address: string): string | null {
  return /^::ffff:[^:]+:[^:]+$/.test(canonical(address)) ? (embeddedIpv4(address)[0] ?? null) : null;
}

/** The address's sixteen bytes. */
function bytesOf(address: string): readonly number[] {
  const [left = '', right = ''] = canonical(address).split('::');
  const [head, tail] = [groups(left), groups(right)];
  const middle = Array.from({ length: 8 - head.length - tail.length }, () => 0);
  return [...head, ...middle, ...tail].flatMap((group) => [group >> 8, group & 0xff]);
}

/** The address as a URL writes it: groups of hex, without a dotted part; an IPv4 address as it is. */
function canonical(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]/`).hostname.slice(1, -1) : address;
}

function groups(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}
