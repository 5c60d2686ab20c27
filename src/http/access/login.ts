import { gatewayAt } from '../../config/access/public-url.js';

/** How clients of the gateway for agents get a token: from whom, and for what. */
export interface Login {
  readonly issuer: string;
  /** Whom the tokens are meant for: the gateway, by the address that the world knows. */
  readonly resource: string;
  /** Where the document about it is (RFC 9728). */
  readonly metadataUrl: string;
}

const METADATA = '.well-known/oauth-protected-resource';

export function loginWith(issuer: string, publicUrl: string): Login {
  const resource = gatewayAt(publicUrl);
  // Below the prefix of a host, and not at its root as RFC 9728 has it by default: the root is the host's.
  return { issuer, resource, metadataUrl: resource.replace(/mcp$/, `${METADATA}/mcp`) };
}
