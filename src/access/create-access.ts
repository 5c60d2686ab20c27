import type { CheckedAuth } from '../config/access/auth-options.js';
import type { NamePrincipal } from '../config/access/host-principal.js';
import {
  accessOf,
  type AuditStore,
  type Clock,
  type EngineLogger,
  type Roles,
  type RunStore,
} from '../engine/index.js';
import { NotFoundError } from '../errors/request-errors.js';
import type { ApiKeys } from './api-keys.js';
import { assembleAccess } from './assemble-access.js';
import type { Authenticator } from './authenticator.js';
import { recordOfRules } from './audit/record-of-rules.js';
import { AccessFile } from './grants/access-file.js';
import { HostAuthenticator } from './host/host-authenticator.js';

/** What authentication is made of. */
export interface AccessParts {
  readonly options: CheckedAuth;
  /** That of the engine, which is open once the authenticator is opened: keys and revocations are kept there. */
  readonly store: RunStore;
  /** That of the store; null: it is off. */
  readonly audit: AuditStore | null;
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
export const createAccess: CreateAccess = ({ options, store, audit, clock, logger }) => {
  const { principal, keys, oidc, accessFile } = options;
  if (principal !== null) return accessOfHost(principal, { options, audit, clock, logger });
  const ofKeys = keys && { maxKeyDays: keys.maxKeyDays, bootstrapKeySha256: keys.bootstrapKeySha256 };
  return assembleAccess({
    options: { keys: ofKeys, oidc, accessFile },
    store: accessOf(store, 'auth'),
    audit,
    clock,
    logger,
  });
};

/** Nothing is kept here of whom the host names: there is nothing to revoke, and of the access file only the roles count. */
function accessOfHost(
  principal: NamePrincipal,
  { options: { accessFile }, audit, clock, logger }: Omit<AccessParts, 'store'>,
): CreatedAccess {
  const file = new AccessFile({
    path: accessFile,
    clock,
    logger,
    changed: () => undefined,
    record: recordOfRules(audit, clock),
  });
  return {
    authenticator: new HostAuthenticator({
      principal,
      clock,
      logger,
      open: () => file.open(),
      close: async () => file.close(),
    }),
    keys: null,
    revokeOwner: async () => {
      throw new NotFoundError('The host says who is asking (auth.principal): end what an owner has there');
    },
    roles: () => file.rules.roles,
    accessFileFault: () => file.fault,
  };
}
