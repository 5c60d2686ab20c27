import type { CheckedAuth } from '../config/access/auth-options.js';
import { accessOf, type Clock, type EngineLogger, type Roles, type RunStore } from '../engine/index.js';
import type { ApiKeys } from './api-keys.js';
import { assembleAccess } from './assemble-access.js';
import type { Authenticator } from './authenticator.js';

/** What authentication is made of. */
export interface AccessParts {
  readonly options: CheckedAuth;
  /** That of the engine, which is open once the authenticator is opened: keys and revocations are kept there. */
  readonly store: RunStore;
  readonly clock: Clock;
  readonly logger: EngineLogger;
}

export interface CreatedAccess {
  readonly authenticator: Authenticator;
  /** Null: there are no keys. */
  readonly keys: ApiKeys | null;
  /** As of `ApiKeys`: tokens are revoked where there are no keys, too. */
  readonly revokeOwner: ApiKeys['revokeOwner'];
  /** The permissions of each role, as they are now. */
  roles(): Roles;
  /** Why the access file as it is now does not hold; null: it does, or there is none. */
  accessFileFault(): string | null;
  /** Whether replicas hold different access files. Absent: there is one process. */
  accessFilesDiffer?(): boolean;
}

export type CreateAccess = (parts: AccessParts) => CreatedAccess | Promise<CreatedAccess>;

/** The one place that knows who finds out who is asking. Rejects with a `ConfigError`. */
export const createAccess: CreateAccess = ({ options: { keys, oidc, accessFile }, store, clock, logger }) => {
  const ofKeys = keys && { maxKeyDays: keys.maxKeyDays, bootstrapKeySha256: keys.bootstrapKeySha256 };
  const options = { keys: ofKeys, oidc, accessFile };
  return assembleAccess({ options, store: accessOf(store, 'auth'), clock, logger });
};
