import type { Authenticator } from '../../access/authenticator.js';
import type { AskedPolicy, Roles } from '../../engine/index.js';
import type { OwnerRates } from './owner-rates.js';

/** Who is asking, and what they may: of an instance where that is asked at all. */
export interface Access {
  readonly authenticator: Authenticator;
  /** That of the engine: what it does not answer is no yes. */
  readonly policy: AskedPolicy;
  /** The permissions of each role, as they are now. */
  roles(): Roles;
  /** Why the access file as it is now does not hold, so that the last right one does; null: it holds, or there is none. */
  accessFileFault(): string | null;
  /** How many requests of each owner are taken; null: any number. */
  readonly rates: OwnerRates | null;
  /** Whether replicas hold different access files. Absent: there is one process. */
  accessFilesDiffer?(): boolean;
  /** Whether `GET /metrics` is open to everyone. */
  readonly metricsPublic: boolean;
  /** What clients are told to ask the provider of tokens for. */
  readonly scopes: readonly string[];
}
