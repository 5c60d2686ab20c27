import type { Authenticator } from '../../access/authenticator.js';
import type { Policy, Roles } from '../../engine/index.js';

/** Who is asking, and what they may: of an instance where that is asked at all. */
export interface Access {
  readonly authenticator: Authenticator;
  /** That of the engine. */
  readonly policy: Policy;
  /** The permissions of each role, as they are now. */
  roles(): Roles;
  /** Whether `GET /metrics` is open to everyone. */
  readonly metricsPublic: boolean;
  /** What clients are told to ask the provider of tokens for. */
  readonly scopes: readonly string[];
}
