import { STATUS_KINDS, type StatusKind } from '../errors/http-status.js';
import { ConfigError } from '../errors/service-errors.js';
import type { AuthOptions } from './access/auth-options.js';
import type { HostRequest } from './host-request.js';
import type { McpOptions } from './mcp-options.js';
import type { SseOptions } from './sse-options.js';

/** The options of the HTTP and MCP edge. */
export interface EdgeOptions {
  /** The longest request body, in bytes. Default 8 MiB. A host's own body parser has its own limit. */
  readonly maxBodyBytes?: number;
  /** Whether the call of a unit may start, steer or register here. Default false. */
  readonly allowSelfCalls?: boolean;
  /**
   * How much the bodies that are still arriving may hold together, in bytes; beyond it the slowest is refused (503).
   * Never less than `maxBodyBytes`. Bodies of up to 64 KiB have a bound of their own, 16 MiB. Default 64 MiB.
   */
  readonly maxUploadBytes?: number;
  /**
   * Which web pages may do what. The standalone service always checks. In a host application the host knows its
   * pages, so null, the default, checks nothing, and `{}` refuses the pages of every other origin.
   */
  readonly webPages?: WebPageOptions | null;
  /**
   * Names the principal of a request, over HTTP or MCP: 1 to 256 characters without control characters, or undefined
   * for none in particular. Called after the guards of the host, before the body is read, for every request that
   * changes something; an error that it throws is answered like an error of a guard. If the option is given, it alone
   * decides: its principal is recorded as the one who started, steered or decided, and as the responder of a decision,
   * whatever `responder` or `by` of the body says; undefined is recorded as `user`. Nothing in a workflow document can
   * set it. Default: the body's `responder` counts.
   */
  actor?(this: void, request: HostRequest): Promise<string | undefined> | string | undefined;
  /**
   * Has everyone show who they are, by an API key or a token, or has the host say who it is, and do what they were granted alone. Not
   * beside `actor`. Null, the default: nobody is asked, and the guards of the host alone decide who gets in.
   */
  readonly auth?: AuthOptions | null;
  /**
   * The address by which the world knows this instance, its prefix included (`https://app.example.com/flowgate`): with `auth.oidc`,
   * clients of MCP log in for it by themselves, and tokens that are meant for the `/mcp` below it are taken. An https URL, or an
   * http one of a loopback address. Default null: clients are told nothing, and bring a key or a token.
   */
  readonly publicUrl?: string | null;
  /** `serverInfo.name` of the MCP gateway. Default `flowgate`. */
  readonly serverName?: string;
  /** Which tools the MCP gateway offers, and how it serves them. */
  readonly mcp?: McpOptions;
  /** How many event streams may be open, and how they are kept alive. */
  readonly sse?: SseOptions;
  /**
   * `interface`: unknown workflows and runs, missing checkpoints and runs that are over are 500 for operations that
   * change something. `conventional`: they are 404, and the latter two 409. Everything else is the same, including
   * the bodies and their codes. Default `interface`.
   */
  readonly statuses?: StatusKind;
  /** A folder of workflow documents to register at the start, in a namespace that it may name. Null (the default): none. */
  readonly workflowsDir?: string | WorkflowsFolder | null;
}

/** Where workflow documents are, and where they are registered. */
export interface WorkflowsFolder {
  readonly path: string;
  /** In which they are registered, and call one another. Default: `default`. */
  readonly namespace?: string;
}

/** What pages of other origins are allowed to do. */
export interface WebPageOptions {
  /**
   * Origins, as browsers write them (`https://flow.example.com`), whose pages are treated as our own. Default: none.
   * They are granted no CORS headers: this is for pages that reach the service through a proxy.
   */
  readonly allowedOrigins?: readonly string[];
  /**
   * Host names, without a port, by which the service may be called in addition to the local ones. Where the server
   * listens on a loopback address, or where names are given here, a request by any other name is refused. Default:
   * none.
   */
  readonly allowedHosts?: readonly string[];
}

const MIB = 1024 * 1024;

export const EDGE_DEFAULTS = {
  maxBodyBytes: 8 * MIB,
  allowSelfCalls: false,
  maxUploadBytes: 64 * MIB,
  serverName: 'flowgate',
  statuses: 'interface',
} as const;

/** The kind of statuses that a host has chosen. Throws a `ConfigError`, because JavaScript hosts can pass anything. */
export function checkedStatuses(given: unknown): StatusKind {
  const known = STATUS_KINDS.find((kind) => kind === given);
  if (known !== undefined) return known;
  const shown = String(given).slice(0, 100);
  throw new ConfigError([
    { variable: 'statuses', message: `statuses is ${shown}: it must be one of ${STATUS_KINDS.join(', ')}.` },
  ]);
}
