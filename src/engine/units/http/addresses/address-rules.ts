import { BlockList, isIP, isIPv6 } from 'node:net';
import { hostMatches, hostPattern } from './host-pattern.js';

/** Hosts by name and networks by address, as one list of texts names them. */
export class AddressRules {
  private readonly hosts: string[] = [];
  private readonly networks = new BlockList();
  /** Whether the list has networks: then an address may be in it, whatever its name. */
  readonly hasNetworks: boolean;

  /** Entries: `api.example.com`, `*.example.com`, `10.0.0.7`, `10.0.0.0/8`, `fd00::/8`. */
  constructor(
    entries: readonly string[],
    /** Called with an entry that is neither a host nor a network. */
    invalid: (entry: string) => never,
  ) {
    let networks = 0;
    for (const entry of entries) {
      const text = entry.trim();
      // As a host it may still be an address, in brackets or written otherwise.
      const host = this.addNetwork(text) ? null : (hostPattern(text) ?? invalid(entry));
      if (host === null || this.addNetwork(host)) networks += 1;
      else this.hosts.push(host);
    }
    this.hasNetworks = networks > 0;
  }

  get isEmpty(): boolean {
    return this.hosts.length === 0 && !this.hasNetworks;
  }

  namesHost(host: string): boolean {
    return this.hosts.some((pattern) => hostMatches(pattern, host));
  }

  holdsAddress(address: string): boolean {
    return this.networks.check(address, familyOf(address));
  }

  private addNetwork(text: string): boolean {
    const [, address = text, , prefix] = /^([^/]*)(\/(\d{1,3}))?$/.exec(text) ?? [];
    if (isIP(address) === 0 || address.includes('%')) return false;
    if (prefix === undefined) {
      this.networks.addAddress(address, familyOf(address));
      return true;
    }
    const bits = Number(prefix);
    if (bits > (isIPv6(address) ? 128 : 32)) return false;
    this.networks.addSubnet(address, bits, familyOf(address));
    return true;
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
