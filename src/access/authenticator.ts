import type { HostRequest } from '../config/host-request.js';
import type { Principal } from '../engine/index.js';

/** What of a request says who is asking. */
export interface Credentials {
  /** The header `Authorization`, as it came; undefined: there is none. */
  readonly authorization: string | undefined;
  /** The client's network, for the share of what is scarce that checking signatures is. */
  readonly address: string;
  /** The request, as the host's server has it, for a host that says itself who is asking. Absent: nothing was read of it yet. */
  readonly request?: HostRequest;
}

/** Finds out who is asking. */
export interface Authenticator {
  /**
   * Whom the credentials are of. What was found out shortly before is answered without a promise. Rejects with (or throws) an
   * `UnauthorizedError`, an `AuthUnavailableError` or a `BusyError`, or with what a host says in its own words.
   */
  authenticate(credentials: Credentials): Principal | Promise<Principal>;
  /** Calls back whenever an answer may be another than before. Returns what ends that. Absent: nothing is told. */
  observe?(changed: () => void): () => void;
  /**
   * Until when, by the clock's `now`, its answers hold that it gives from memory; over: it cannot tell now. Absent: each answer is of when
   * it is given.
   */
  reliedOnUntil?(): number;
  /** Starts to look for changes of keys and revocations. Rejects where nobody could ever get in. */
  open(): Promise<void>;
  close(): Promise<void>;
}
