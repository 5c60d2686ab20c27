import { ConfigError } from '../../errors/service-errors.js';
import { isIssuer, ISSUER } from './auth-options.js';

/** An address that nobody can change what is sent to: the same as is asked of an issuer. */
export const PUBLIC_URL = ISSUER;
export const isPublicUrl = isIssuer;

/** Where the gateway for agents is, as the world knows it: what tokens for it are meant for. */
export function gatewayAt(publicUrl: string): string {
  return `${new URL(publicUrl).href.replace(/\/+$/, '')}/mcp`;
}

/** The option of a host; null: none. Throws a `ConfigError`, because JavaScript hosts can pass anything. */
export function checkedPublicUrl(given: unknown): string | null {
  if (given === undefined || given === null) return null;
  if (typeof given === 'string' && isPublicUrl(given)) return given;
  const shown = String(given).slice(0, 100);
  throw new ConfigError([
    { variable: 'publicUrl', message: `publicUrl is ${shown}: it must be ${PUBLIC_URL.allowed}.` },
  ]);
}
