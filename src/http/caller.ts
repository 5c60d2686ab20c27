import { isIPv6 } from 'node:net';
import type { Arrival } from './arrival.js';
import { streamOf, type EdgeRequest } from './edge-request.js';

const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i;
const GROUPS = 8;
/** Of an IPv6 address: who has one of a network of 64 bits has all of them. */
const NETWORK_GROUPS = 4;

/**
 * Whose share of what is scarce a request takes: that of the person whom the host knows, else that of the client's address, as
 * the host's server gives it (`trust proxy`). It is no identity: all who come through one proxy may be one caller.
 */
export function callerOf(request: EdgeRequest, person: Arrival['person']): string {
  if (person !== undefined && person !== null) return `person ${person}`;
  const address = request.ip ?? streamOf(request).socket.remoteAddress ?? '';
  return `address ${networkOf(address.replace(MAPPED_IPV4, ''))}`;
}

function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [[...first] = [], rest = []] = address.split('::').map((half) => half.split(':'));
  while (address.includes('::') && first.length + rest.length < GROUPS) first.push('0');
  return [...first, ...rest]
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group || '0', 16))
    .join(':');
}
