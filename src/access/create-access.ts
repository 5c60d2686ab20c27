import type { CheckedAuth } from '../config/auth-options.js';
import type { Clock, Roles, RunStore } from '../engine/index.js';
import { ConfigError } from '../errors/service-errors.js';
import type { ApiKeys } from './api-keys.js';
import type { Authenticator } from './authenticator.js';

/** What authentication is made of. */
export interface AccessParts {
  readonly options: CheckedAuth;
  /** That of the engine, which is open once the authenticator is opened: keys and revocations are kept there. */
  readonly store: RunStore;
  /** That of the engine; undefined: the time of the machine. */
  readonly clock: Clock | undefined;
}

export interface CreatedAccess {
  readonly authenticator: Authenticator;
  /** Null: there are no keys. */
  readonly keys: ApiKeys | null;
  /** The permissions of each role, as they are now. */
  roles(): Roles;
}

export type CreateAccess = (parts: AccessParts) => CreatedAccess | Promise<CreatedAccess>;

/** The one place that knows who finds out who is asking. Rejects with a `ConfigError`. */
export const createAccess: CreateAccess = () => {
  throw new ConfigError([
    {
      variable: 'FLOWGATE_AUTH',
      message: 'FLOWGATE_AUTH: this build asks nobody who they are yet, so set it to none.',
    },
  ]);
};
