import { isIPv6 } from 'node:net';
import type { RequestContext } from './request-context.js';
import { streamOf, type EdgeRequest } from '../edge-request.js';

const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i;
const GROUPS = 8;
/** The groups of an IPv6 address that identify a client: one that has an address of a /64 network has all of them. */
const NETWORK_GROUPS = 4;

/**
 * The caller whose share of scarce resources a request uses: the principal if the host knows one, else the client's
 * address as the host's server determines it (`trust proxy`). It is not an identity: all clients behind one proxy may
 * be one caller.
 */
export function callerOf(request: EdgeRequest, principal: RequestContext['principal']): string {
  if (principal !== undefined && principal !== null) return `person ${principal}`;
  return callerOfAddress(request.ip ?? streamOf(request).socket.remoteAddress);
}

/** As `callerOf`, of a client of whom nothing but the address is known. */
export function callerOfAddress(address = ''): string {
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
