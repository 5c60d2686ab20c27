import { isIPv6 } from 'node:net';

/** A host as an address names it: lower case, international names in ASCII, no brackets and no final dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/**
 * An entry of a list of hosts (`api.example.com`, `*.example.com`, `10.0.0.7`, `::1`), written for comparison the way
 * `hostOf` writes hosts. Null for what is no host: a URL, a port, a path, a `*` elsewhere.
 */
export function hostPattern(entry: string): string | null {
  const text = entry.trim();
  const isWildcard = text.startsWith('*.');
  const name = isWildcard ? text.slice(2) : text;
  const bare = name.replace(/^\[(.*)\]$/, '$1');
  if (!isIPv6(bare) && !/^[^\s\p{Cc}/\\?#@:%[\]*]+$/u.test(name)) return null;
  const address = `http://${isIPv6(bare) ? `[${bare}]` : name}/`;
  if (!URL.canParse(address)) return null;
  const host = hostOf(new URL(address));
  return isWildcard ? `*.${host}` : host;
}

/** `*.example.com` stands for every name under example.com, and not for example.com itself. */
export function hostMatches(pattern: string, host: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}
