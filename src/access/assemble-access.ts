import {
  type AccessStore,
  type AuditStore,
  type Clock,
  type EngineLogger,
  type Roles,
} from '../engine/index.js';
import { ConfigError } from '../errors/service-errors.js';
import type { AccessOptions, KeyOptions, OidcOptions } from './access-options.js';
import type { ApiKeys } from './api-keys.js';
import { recordOfRules } from './audit/record-of-rules.js';
import { Authentication, type Found, type KeyAuthentication } from './authentication.js';
import type { Authenticator } from './authenticator.js';
import { ChangeWatch } from './change-watch.js';
import { AccessFile } from './grants/access-file.js';
import { PeerFiles } from './grants/peer-files.js';
import { KeyLookup } from './keys/key-lookup.js';
import { KeyUses } from './keys/key-uses.js';
import { managerRoles, StoredApiKeys } from './keys/stored-api-keys.js';
import { Remembered } from './remembered.js';
import { oidcFaults } from './tokens/oidc-faults.js';

const MOST_KEY_DAYS = 36_500;

export interface AccessParts {
  readonly options: AccessOptions;
  readonly store: AccessStore;
  /** Where it is recorded that keys and rules change; null: nowhere. */
  readonly audit: AuditStore | null;
  readonly clock: Clock;
  readonly logger: EngineLogger;
}

/** Who is asking, and what there is to know about it. `authenticator.open` comes first, `authenticator.close` last, before the store is closed. */
export interface AssembledAccess {
  readonly authenticator: Authenticator;
  /** Null: keys are off. */
  readonly keys: ApiKeys | null;
  /** As of `ApiKeys`: tokens are revoked where there are no keys, too. */
  readonly revokeOwner: ApiKeys['revokeOwner'];
  /** The roles that there are now, for the `GrantPolicy`. */
  roles(): Roles;
  /** Why the access file as it is now does not hold, for /health: the last right one does. Null: it holds. */
  accessFileFault(): string | null;
  /** Whether replicas hold different access files, for /health. */
  accessFilesDiffer(): boolean;
}

/** Puts the parts of access together. Rejects with a `ConfigError` for options that cannot be used. */
export async function assembleAccess(parts: AccessParts): Promise<AssembledAccess> {
  const { options, store, audit, clock, logger } = parts;
  assertUsable(options);
  const remembered = new Remembered<Found>(clock);
  const observers = new Set<{ readonly changed: () => void }>();
  const changed = (): void => {
    remembered.clear();
    for (const observer of observers) observer.changed();
  };
  const observe = (heard: () => void): (() => void) => {
    const observer = { changed: heard };
    observers.add(observer);
    return () => void observers.delete(observer);
  };
  const watch = new ChangeWatch({ store, clock, logger, changed });
  const fileChanged = (): void => {
    changed();
    peerFiles.changed();
  };
  const file = new AccessFile({
    path: options.accessFile,
    clock,
    logger,
    changed: fileChanged,
    record: recordOfRules(audit, clock),
  });
  const peerFiles = new PeerFiles({ peers: store.peers ?? null, held: () => file.hash, clock, logger });
  const rules = () => file.rules;
  const roles = (): Roles => file.rules.roles;
  const tokens = options.oidc === null ? null : await oidcTokens(options.oidc, parts);
  const keys = options.keys === null ? null : keyAuthentication(options.keys, parts, rules);
  const close = async (): Promise<void> => {
    watch.close();
    peerFiles.close();
    file.close();
    remembered.clear();
    await Promise.all([keys?.uses.close(), tokens?.close()]);
  };
  const open = async (): Promise<void> => {
    try {
      await file.open();
      await watch.open();
      await assertSomebodyCanGetIn(parts, file);
      await tokens?.open();
      peerFiles.open();
    } catch (error) {
      await close();
      throw error;
    }
  };
  const maxKeyDays = options.keys?.maxKeyDays ?? 1;
  const stored = new StoredApiKeys({ store, clock, roles, maxKeyDays, changed, isAudited: audit !== null });
  return {
    authenticator: new Authentication({
      store,
      watch,
      remembered,
      rules,
      now: () => clock.wallTime(),
      keys,
      tokens,
      observe,
      open,
      close,
    }),
    keys: options.keys === null ? null : stored,
    revokeOwner: (by, owner) => stored.revokeOwner(by, owner),
    roles,
    accessFileFault: () => file.fault,
    accessFilesDiffer: () => peerFiles.differ,
  };
}

/** jose is loaded where tokens are taken, and nowhere else. */
async function oidcTokens(options: OidcOptions, { clock, logger }: AccessParts) {
  const { OidcTokens } = await import('./tokens/oidc-tokens.js');
  return new OidcTokens({ options, clock, logger });
}

function keyAuthentication(
  { bootstrapKeySha256 }: KeyOptions,
  { store, clock, logger }: AccessParts,
  rules: () => AccessFile['rules'],
): KeyAuthentication {
  return {
    lookup: new KeyLookup({ store, clock, rules }),
    uses: new KeyUses({ store, clock, logger }),
    bootstrapKeySha256: bootstrapKeySha256?.toLowerCase() ?? null,
  };
}

function assertUsable({ keys, oidc }: AccessOptions): void {
  const faults = oidc === null ? [] : [...oidcFaults(oidc)];
  if (keys === null && oidc === null)
    faults.push({ variable: 'FLOWGATE_AUTH', message: 'FLOWGATE_AUTH must name keys, oidc or both' });
  const { bootstrapKeySha256: sha256 = null, maxKeyDays = 1 } = keys ?? {};
  if (sha256 !== null && !/^[\da-f]{64}$/i.test(sha256))
    faults.push({
      variable: 'FLOWGATE_BOOTSTRAP_KEY_SHA256',
      message:
        'FLOWGATE_BOOTSTRAP_KEY_SHA256 must be the SHA-256 of a key, 64 hexadecimal digits: never the key itself',
    });
  if (!Number.isSafeInteger(maxKeyDays) || maxKeyDays < 1 || maxKeyDays > MOST_KEY_DAYS)
    faults.push({
      variable: 'FLOWGATE_MAX_KEY_DAYS',
      message: `FLOWGATE_MAX_KEY_DAYS must be a whole number of days, from 1 to ${MOST_KEY_DAYS}`,
    });
  if (faults.length > 0) throw new ConfigError(faults);
}

/** A service that nobody can use, nor ever will be able to, should say so at once. */
async function assertSomebodyCanGetIn(
  { options, store, clock }: AccessParts,
  file: AccessFile,
): Promise<void> {
  const { keys, oidc } = options;
  if (oidc !== null && file.rules.grantAnything) return;
  if (keys !== null) {
    if (keys.bootstrapKeySha256 !== null) return;
    const roles = managerRoles(file.rules.roles);
    if (await store.hasLiveManager({ roles, now: clock.wallTime() })) return;
  }
  const ways: string[] = [];
  if (keys !== null)
    ways.push(
      'set FLOWGATE_BOOTSTRAP_KEY_SHA256 to the SHA-256 of a key that makes the first one, since no key lives that manages keys',
    );
  if (oidc !== null)
    ways.push('set FLOWGATE_ACCESS_FILE to a file that grants something to those who come with tokens');
  throw new ConfigError([
    {
      variable: keys === null ? 'FLOWGATE_ACCESS_FILE' : 'FLOWGATE_BOOTSTRAP_KEY_SHA256',
      message: `Nobody could get in: ${ways.join(', or ')}`,
    },
  ]);
}
