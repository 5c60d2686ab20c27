import type { HostRequest } from '../host-request.js';

/** What a principal that a host names may do, and where. */
export interface HostGrant {
  /** A namespace, or `*` for each of them and for what belongs to none. */
  readonly namespace: string;
  /** Names of roles, 100 at most; one that is not known gives nothing. */
  readonly roles: readonly string[];
  /** Ids of workflows, each of which may end in `*`, 1 to 50; left out: all. */
  readonly workflows?: readonly string[];
}

/** Who is asking, as a host knows them. Texts have 1 to 256 characters, in the normal form C, without control characters. */
export interface HostPrincipal {
  /** The account: what rules compare, character by character. */
  readonly owner: string;
  /** Who, in what is recorded. Default: the owner. */
  readonly id?: string;
  /** For people to read. Default: none. */
  readonly name?: string;
  /** 256 at most. Default: none. */
  readonly groups?: readonly string[];
  /** 100 at most; none: only `GET /whoami` is served. */
  readonly grants: readonly HostGrant[];
  /** Epoch ms, from which on nobody is served as this principal. Default null: it does not expire by itself. */
  readonly expiresAt?: number | null;
}

/** Names who sends a request, over HTTP or MCP; undefined or null: nobody does. */
export type NamePrincipal = (
  this: void,
  request: HostRequest,
) => Promise<HostPrincipal | null | undefined> | HostPrincipal | null | undefined;
