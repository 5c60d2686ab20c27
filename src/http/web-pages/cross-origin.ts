import type { IncomingMessage } from 'node:http';
import type { WebPageOptions } from '../../config/edge-options.js';
import { isLoopback } from '../../config/access/loopback.js';
import { ForeignHostError, CrossOriginError } from '../../errors/edge-errors.js';
import type { RequestCheck } from './request-check.js';
import { hostNameOf } from './host-name.js';

/** These methods change nothing, and a page of another origin cannot read the response. */
const READING: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Streams are long-lived and limited in number: a page that cannot read them could still take capacity from others. */
const EVENT_STREAM = /text\/event-stream/i;
/** The path of the gateway, with any prefix, and not of the document about it, which is for all; the router ignores case. */
const GATEWAY = /^[^?#]*(?<!\/\.well-known\/oauth-protected-resource)\/mcp\/?(?:[?#]|$)/i;
/** The values of `Sec-Fetch-Site` for requests that no page of another origin made: one of our pages or the user did. */
const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none']);
const SHOWN_ORIGIN = /^[a-z][a-z0-9+.-]{0,20}:\/\/[\w.:[\]-]{1,250}$/;

interface CheckedPages extends WebPageOptions {
  /** Whose pages bring a key or a token of their own: they may call everything, by the names of the service alone. */
  readonly corsOrigins?: readonly string[];
}

/**
 * Keeps web pages from using the browser of someone who can reach the service (decision 0029): a page of another
 * origin changes nothing and holds no stream open, and, where `isLocal` says that only this machine can connect, no
 * page reaches it by a name that was pointed here. Programs send neither `Sec-Fetch-Site` nor `Origin`, and are
 * served.
 */
export function crossOriginCheck(options: CheckedPages, isLocal: () => boolean): RequestCheck {
  const origins = new Set(options.allowedOrigins);
  const corsOrigins = new Set(options.corsOrigins);
  const hosts = new Set(options.allowedHosts?.map((host) => hostNameOf(host) ?? host.toLowerCase()));
  /** The last accepted header: almost all callers use the same one. */
  let knownHost: string | undefined;

  const hostFault = (host: string | undefined): ForeignHostError | null => {
    if ((host !== undefined && host === knownHost) || (!isLocal() && hosts.size === 0)) return null;
    const name = hostNameOf(host ?? '');
    if (name === null || !(isLoopback(name) || hosts.has(name))) return new ForeignHostError(name);
    knownHost = host;
    return null;
  };

  return (request) => {
    const { origin, host } = request.headers;
    if (origin !== undefined && origins.has(origin)) return null;
    const isForeign = mattersToPages(request) && !(origin !== undefined && corsOrigins.has(origin));
    return hostFault(host) ?? (isForeign ? crossOriginFault(request) : null);
  };
}

function mattersToPages({ method, url = '', headers }: IncomingMessage): boolean {
  return !READING.has(method) || GATEWAY.test(url) || EVENT_STREAM.test(headers.accept ?? '');
}

function crossOriginFault({ headers }: IncomingMessage): CrossOriginError | null {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (site === undefined && origin === undefined) return null;
  const isOwn = site === undefined ? isOwnOrigin(origin ?? '', host) : OWN_SITES.has(String(site));
  if (isOwn) return null;
  return new CrossOriginError(origin !== undefined && SHOWN_ORIGIN.test(origin) ? origin : null);
}

/** Behind a proxy the page came by https while this request did not, so the scheme does not count. */
function isOwnOrigin(origin: string, host: string | undefined): boolean {
  const [, scheme, ofPage] = /^(https?):\/\/(.+)$/i.exec(origin) ?? [];
  if (scheme === undefined || ofPage === undefined || host === undefined) return false;
  const usualPort = scheme.toLowerCase() === 'https' ? ':443' : ':80';
  return withoutPort(ofPage, usualPort) === withoutPort(host, usualPort);
}

function withoutPort(host: string, port: string): string {
  const text = host.toLowerCase();
  return text.endsWith(port) ? text.slice(0, -port.length) : text;
}
