import type { Authenticator } from '../../access/authenticator.js';
import type { AskedPolicy, Principal, Roles } from '../../engine/index.js';
import type { AdmissionWatch } from './admission-watch.js';
import type { Login } from './login.js';
import type { OwnerRates } from './owner-rates.js';
import type { SignIn } from './sign-in.js';

/** What somebody was refused at the door. */
export interface RefusedRequest {
  /** 401: nobody is known. 403: the principal may not do this. */
  readonly status: 401 | 403;
  /** For whoever reads the audit; never the credentials. */
  readonly reason: string;
  readonly principal: Principal | null;
  readonly namespace: string | null;
}

/** Who is asking, and what they may: of an instance where that is asked at all. */
export interface Access {
  readonly authenticator: Authenticator;
  /** That of the engine: what it does not answer is no yes. */
  readonly policy: AskedPolicy;
  /** Ends what stays open once whoever opened it would be refused. */
  readonly admissions: AdmissionWatch;
  /** The permissions of each role, as they are now. */
  roles(): Roles;
  /** Why the access file as it is now does not hold, so that the last right one does; null: it holds, or there is none. */
  accessFileFault(): string | null;
  /** Records, where there is an audit, what somebody was refused. Nobody waits for it. */
  refused(refusal: RefusedRequest): void;
  /** How many requests of each owner are taken; null: any number. */
  readonly rates: OwnerRates | null;
  /** Whether replicas hold different access files. Absent: there is one process. */
  accessFilesDiffer?(): boolean;
  /** Whether `GET /metrics` is open to everyone. */
  readonly metricsPublic: boolean;
  /** How clients of the gateway for agents get a token; null: they are told nothing. */
  readonly login: Login | null;
  /** How people sign in to the console with the provider of tokens; null: they paste a key or a token. */
  readonly signIn: SignIn | null;
  /** What clients are told to ask the provider of tokens for. */
  readonly scopes: readonly string[];
}
