/** Where a call goes: an address taken apart for the pools. */
export interface Target {
  readonly origin: string;
  /** With the query, without the fragment. */
  readonly path: string;
  /** Basic authentication from the address's `user:password@`, or null. */
  readonly authorization: string | null;
}

/** Null for anything but an absolute http or https address. */
export function targetOf(address: string): Target | null {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  return {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    authorization: url.username === '' && url.password === '' ? null : basicAuthorization(url),
  };
}

/** The header's whole value, for the credentials as they were before they were percent-encoded. */
export function basicAuthorization(url: URL): string {
  const credentials = `${decodePercent(url.username)}:${decodePercent(url.password)}`;
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

/** The text itself where it is not a valid percent-encoding. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
