import type { CheckedAuth } from '../config/auth-options.js';
import type { Policy, Roles, RunStore } from '../engine/index.js';
import { ConfigError } from '../errors/service-errors.js';
import type { ApiKeys } from './api-keys.js';
import type { Authenticator } from './authenticator.js';

/** What authentication is made with. */
export interface AccessParts {
  /** The engine's store, which is open once the authenticator is opened: keys and revocations are kept there. */
  readonly store: RunStore;
  readonly log: { warn(line: string): void; error(line: string): void };
}

export interface CreatedAccess {
  readonly authenticator: Authenticator;
  readonly keys: ApiKeys;
  /** Goes by the roles. */
  readonly policy: Policy;
  /** The permissions of each role, as they are now. */
  roles(): Roles;
}

export type CreateAccess = (options: CheckedAuth, parts: AccessParts) => CreatedAccess;

/** The one place that knows who finds out who is asking. Throws a `ConfigError`. */
export const createAccess: CreateAccess = () => {
  throw new ConfigError([
    {
      variable: 'FLOWGATE_AUTH',
      message: 'FLOWGATE_AUTH: this build asks nobody who they are yet, so set it to none.',
    },
  ]);
};
