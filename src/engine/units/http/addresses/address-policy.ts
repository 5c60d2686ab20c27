import { isIP } from 'node:net';
import { ConfigError } from '../../../../errors/service-errors.js';
import { AddressRules } from './address-rules.js';
import { embeddedIpv4, mappedIpv4 } from './embedded-ipv4.js';
import { NEVER_CALLED } from './never-called.js';

/** Lists of hosts (`api.example.com`, `*.example.com`), addresses and networks (`10.0.0.0/8`, `fd00::/8`). */
export interface AddressPolicyOptions {
  /** Not empty: units are called there and nowhere else. Default: everywhere. */
  readonly allowedAddresses?: readonly string[];
  /** Units are not called there, also where `allowedAddresses` has it. Default: none. */
  readonly deniedAddresses?: readonly string[];
}

const NEVER =
  "is link-local or the metadata service of a cloud, where no unit is called: change the unit's endpoint";
const DENIED =
  "is denied by FLOWGATE_DENIED_ADDRESSES: change the unit's endpoint, or take it out of that setting";
const NOT_ALLOWED =
  "is not in FLOWGATE_ALLOWED_ADDRESSES: change the unit's endpoint, or add it to that setting";

/** Addresses that stand for "this machine" when something connects to them. */
const UNSPECIFIED: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/**
 * Which addresses units may be called at. A refusal is the rest of a sentence that begins with the host; null: allowed.
 *
 * An IPv6 address that leads to an IPv4 one is refused for either of them. To be allowed it must be listed itself, or be
 * another way to write a listed one.
 */
export class AddressPolicy {
  private readonly never = new AddressRules(NEVER_CALLED, (entry) => {
    throw new Error(`${entry} is no host`);
  });
  private readonly denied: AddressRules;
  private readonly allowed: AddressRules;

  /** Throws a `ConfigError` for an entry that is neither a host nor a network. */
  constructor({ allowedAddresses = [], deniedAddresses = [] }: AddressPolicyOptions = {}) {
    this.allowed = new AddressRules(allowedAddresses, refuseEntry('FLOWGATE_ALLOWED_ADDRESSES'));
    this.denied = new AddressRules(deniedAddresses, refuseEntry('FLOWGATE_DENIED_ADDRESSES'));
  }

  /** Why a host, as `hostOf` writes it, is refused before its name is looked up; null: it is not. */
  refusalOfHost(host: string): string | null {
    if (isIP(host) !== 0) return this.refusalOfAddress(host, host);
    if (this.never.namesHost(host)) return NEVER;
    if (this.denied.namesHost(host)) return DENIED;
    if (this.allowed.isEmpty || this.allowed.hasNetworks || this.allowed.namesHost(host)) return null;
    return NOT_ALLOWED;
  }

  /** Why an address that a host's name resolved to is refused; null: it is not. */
  refusalOfAddress(host: string, found: string): string | null {
    const address = found.replace(/%.*$/, '');
    const reached = [address, ...embeddedIpv4(address)];
    const forms = [...reached, ...reached.flatMap((form) => UNSPECIFIED.get(form) ?? [])];
    if (forms.some((form) => this.never.holdsAddress(form))) return NEVER;
    if (forms.some((form) => this.denied.holdsAddress(form))) return DENIED;
    if (this.allowed.isEmpty || this.allowed.namesHost(host)) return null;
    const same = [address, mappedIpv4(address) ?? address];
    return same.some((form) => this.allowed.holdsAddress(form)) ? null : NOT_ALLOWED;
  }
}

function refuseEntry(variable: string): (entry: string) => never {
  return (entry) => {
    const allowed = 'hosts (api.example.com, *.example.com), addresses and networks (10.0.0.0/8, fd00::/8)';
    const message = `${variable} names ${JSON.stringify(entry.slice(0, 100))}: it must list ${allowed}, separated by commas.`;
    throw new ConfigError([{ variable, message }]);
  };
}
