import type { CheckedAuth } from '../config/auth-options.js';
import { GrantPolicy, type Clock, type EngineLogger, type Policy, type Roles, type RunStore } from '../engine/index.js';
import { ConfigError } from '../errors/service-errors.js';
import type { ApiKeys } from './api-keys.js';
import { assembleAccess } from './assemble-access.js';
import type { Authenticator } from './authenticator.js';

/** What authentication is made with. */
export interface AccessParts {
  /** The engine's store, which is open once the authenticator is opened: keys and revocations are kept there. */
  readonly store: RunStore;
  readonly clock: Clock;
  readonly logger: EngineLogger;
}

export interface CreatedAccess {
  readonly authenticator: Authenticator;
  /** Null: keys are off. */
  readonly keys: ApiKeys | null;
  /** Goes by the roles. */
  readonly policy: Policy;
  /** The permissions of each role, as they are now. */
  roles(): Roles;
  /** Why the access file as it is now does not hold; null: it does, or there is none. */
  accessFileFault(): string | null;
}

export type CreateAccess = (options: CheckedAuth, parts: AccessParts) => Promise<CreatedAccess>;

/** Who finds out who is asking, and what they may, as the options of an instance say. Rejects with a `ConfigError`. */
export const createAccess: CreateAccess = async (
  { keys, oidc, accessFile },
  { store: { access: store }, clock, logger },
) => {
  if (store === undefined) throw new ConfigError([NOWHERE]);
  const options = {
    keys: keys === null ? null : { maxKeyDays: keys.maxDays, bootstrapKeySha256: keys.bootstrapKeySha256 },
    oidc,
    accessFile,
  };
  const assembled = await assembleAccess({ options, store, clock, logger });
  return { ...assembled, policy: new GrantPolicy(() => assembled.roles()) };
};

const NOWHERE = {
  variable: 'auth',
  message:
    'auth is set, but the store keeps no keys and revocations: give it an `access` (an AccessStore), or leave auth out.',
};
