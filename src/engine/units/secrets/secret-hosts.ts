import { hostMatches, hostOf, hostPattern } from '../http/addresses/host-pattern.js';

/** The host of an endpoint, as lists of hosts are compared with it; null: there is none to send anything to. */
export function hostOfEndpoint(endpoint: unknown): string | null {
  return typeof endpoint === 'string' && URL.canParse(endpoint) ? hostOf(new URL(endpoint)) : null;
}

/** Whether a secret that is bound to these hosts may be sent to that one. What is no host stands for none. */
export function mayBeSentTo(host: string | null, hosts: readonly string[]): boolean {
  if (host === null) return false;
  return hosts.some((entry) => {
    const pattern = hostPattern(entry);
    return pattern !== null && hostMatches(pattern, host);
  });
}
