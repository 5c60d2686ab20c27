import { isLoopback } from '../access/loopback.js';
import { isPublicUrl, PUBLIC_URL } from '../access/public-url.js';
import type { ReadSettings } from './database-settings.js';

interface Fault {
  readonly variable: string;
  readonly message: string;
}

/** What of the addresses by which the service is known is missing, or cannot be together. */
export function faultsOfAddresses({ auth, publicUrl, host, corsOrigins }: ReadSettings): readonly Fault[] {
  const faults: Fault[] = [];
  if (typeof publicUrl === 'string' && !isPublicUrl(publicUrl))
    faults.push({
      variable: 'FLOWGATE_PUBLIC_URL',
      message: `FLOWGATE_PUBLIC_URL must be ${PUBLIC_URL.allowed}.`,
    });
  if (publicUrl === null && auth?.includes('oidc') === true && host !== undefined && !isLoopback(host))
    faults.push({
      variable: 'FLOWGATE_PUBLIC_URL',
      message:
        'FLOWGATE_AUTH has oidc, and HOST is no loopback address: FLOWGATE_PUBLIC_URL must say by which address clients know the ' +
        'service, such as https://flow.example.com.',
    });
  if (corsOrigins !== undefined && corsOrigins.length > 0 && auth?.includes('none') === true)
    faults.push({
      variable: 'FLOWGATE_CORS_ORIGINS',
      message:
        'FLOWGATE_CORS_ORIGINS is set, and FLOWGATE_AUTH is none: a page of another origin could do everything; set FLOWGATE_AUTH to ' +
        'keys or oidc, or leave FLOWGATE_CORS_ORIGINS out.',
    });
  return faults;
}

/** The address that clients log in for. On a loopback address it is the service's own, unless it says another one. */
export function publicUrlOf({ publicUrl = null, auth, host, port }: ReadSettings): string | null {
  if (publicUrl !== null || auth?.includes('oidc') !== true) return publicUrl;
  if (host === undefined || !isLoopback(host) || port === undefined || port === 0) return null;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** With the host that the world knows; the local ones are allowed anyway. */
export function allowedHostsOf({ allowedHosts = [], publicUrl }: ReadSettings): readonly string[] {
  const host = typeof publicUrl === 'string' ? hostOf(publicUrl) : null;
  if (host === null || isLoopback(host)) return allowedHosts;
  return [...new Set([...allowedHosts, host])];
}

function hostOf(url: string): string | null {
  return URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? null;
}
