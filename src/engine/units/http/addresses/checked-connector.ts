import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressPolicy } from './address-policy.js';

/** No connection was opened, because of the address. The message is for the unit's error: it names the host alone. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
}

export interface CheckedConnectorOptions {
  readonly addresses: AddressPolicy;
  /** Bounds the name lookup, TCP and TLS handshake of a new connection. */
  readonly connectTimeoutMs: number;
  /** How names are resolved. Default: the system's resolver. */
  readonly lookup?: LookupFunction;
}

/**
 * Opens connections of undici's pools, to addresses that the policy allows.
 *
 * A name is looked up once for each connection, and the socket is given only the addresses that were checked: there is
 * no second lookup that could answer otherwise. A connection that is open was checked, so calls over it cost nothing.
 */
export function checkedConnector(options: CheckedConnectorOptions): buildConnector.connector {
  const { addresses, connectTimeoutMs, lookup = systemLookup as LookupFunction } = options;
  const connect = buildConnector({ timeout: connectTimeoutMs, lookup: checkedLookup(addresses, lookup) });
  return (target, callback) => {
    const host = plainHost(target.hostname);
    const refusal = addresses.refusalOfHost(host);
    if (refusal === null) connect(target, callback);
    else
      queueMicrotask(() =>
        callback(refused(isIP(host) === 0 ? 'the host' : 'the address', host, refusal), null),
      );
  };
}

/** A lookup that finds what `lookup` finds, without the addresses that are refused. */
function checkedLookup(addresses: AddressPolicy, lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    const host = plainHost(hostname);
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, options.all === true ? [] : '');
      const all = found as unknown as readonly LookupAddress[];
      const verdicts = all.map(({ address }) => addresses.refusalOfAddress(host, address));
      const checked = all.filter((_address, index) => verdicts[index] === null);
      const [first] = checked;
      if (first === undefined) {
        const refusal = verdicts.find((verdict) => verdict !== null);
        const reason = refusal === undefined ? notFound(hostname) : refused('an address of', host, refusal);
        return callback(reason, options.all === true ? [] : '');
      }
      if (options.all === true) callback(null, checked);
      else callback(null, first.address, first.family);
    });
  };
}

function plainHost(hostname: string): string {
  return hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
}

function refused(subject: string, host: string, refusal: string): AddressRefusedError {
  return new AddressRefusedError(`${subject} ${host} ${refusal}`);
}

function notFound(hostname: string): Error {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
}
