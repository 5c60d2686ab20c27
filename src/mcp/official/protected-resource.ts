import { buildOAuthProtectedResourceMetadata } from '@modelcontextprotocol/server';
import type { Login } from '../../http/access/login.js';

/** What a client has to know to get a token (RFC 9728). */
export interface ProtectedResource {
  readonly resource: string;
  readonly authorization_servers?: readonly string[] | undefined;
  readonly scopes_supported?: readonly string[] | undefined;
  readonly resource_name?: string | undefined;
  readonly bearer_methods_supported: readonly string[];
}

export interface AboutResource {
  readonly scopes: readonly string[];
  readonly name: string;
}

export function protectedResource(
  { issuer, resource }: Login,
  { scopes, name }: AboutResource,
): ProtectedResource {
  const document = buildOAuthProtectedResourceMetadata({
    // Of the issuer only its name goes in; clients ask it for the rest.
    oauthMetadata: {
      issuer,
      authorization_endpoint: issuer,
      token_endpoint: issuer,
      response_types_supported: [],
    },
    resourceServerUrl: new URL(resource),
    resourceName: name,
    ...(scopes.length === 0 ? {} : { scopesSupported: [...scopes] }),
    // Which issuers are safe was checked at the start: all of 127.0.0.0/8 and ::1 are, too.
    dangerouslyAllowInsecureIssuerUrl: true,
  });
  return { ...document, bearer_methods_supported: ['header'] };
}
