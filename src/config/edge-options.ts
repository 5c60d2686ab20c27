import type { IncomingHttpHeaders } from 'node:http';
import { STATUS_KINDS, type StatusKind } from '../errors/http-status.js';
import { ConfigError } from '../errors/service-errors.js';
import type { McpOptions } from './mcp-options.js';
import type { SseOptions } from './sse-options.js';

/** What is sure of a request of the host, whatever its adapter: Express's and Fastify's are both one. */
export interface HostRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** What the HTTP and MCP edge can be told. */
export interface EdgeOptions {
  /** The longest request body, in bytes. Default 8 MiB. A host's own body parser has its own limit. */
  readonly maxBodyBytes?: number;
  /** Whether the call of a unit may start, steer or register here. Default false. */
  readonly allowSelfCalls?: boolean;
  /**
   * What the bodies that are still arriving may hold together, in bytes; beyond it the slowest is refused (503). Never
   * less than `maxBodyBytes`. Bodies of up to 64 KiB count apart, up to 16 MiB. Default 64 MiB.
   */
  readonly maxUploadBytes?: number;
  /**
   * Which web pages may do what. The standalone service always asks; in a host application the host knows its pages,
   * so null, the default, asks nothing, and `{}` refuses the pages of every other origin.
   */
  readonly webPages?: WebPageOptions | null;
  /**
   * Who acts with a request, over HTTP or MCP: 1 to 256 characters without control characters, or undefined for nobody
   * in particular. Asked after the guards of the host, before the body is read, at every request that changes something;
   * what it throws is answered as if a guard had thrown it. Once it is given, it alone decides: it is recorded as who has
   * started, steered or decided, and as the responder of a decision, whatever `responder` or `by` of the body says; undefined is
   * recorded as `user`. Nothing in a workflow document can set it. Default: the body's `responder` counts.
   */
  actor?(this: void, request: HostRequest): Promise<string | undefined> | string | undefined;
  /** `serverInfo.name` of the MCP gateway. Default `flowgate`. */
  readonly serverName?: string;
  /** What the MCP gateway offers, and to whom. */
  readonly mcp?: McpOptions;
  /** How many watch runs by event streams, and how. */
  readonly sse?: SseOptions;
  /**
   * `interface`: unknown workflows and runs, missing checkpoints and runs that are over are 500 for whoever changes
   * something. `conventional`: 404, and 409 for the latter two. Everything else is the same, the bodies and their codes,
   * too. Default `interface`.
   */
  readonly statuses?: StatusKind;
  /** A folder of workflow documents to register at the start. Null (the default): none. */
  readonly workflowsDir?: string | null;
}

/** What pages of other origins are allowed. */
export interface WebPageOptions {
  /**
   * Origins, as browsers write them (`https://flow.example.com`), whose pages are served as our own are. Default: none.
   * They are granted no CORS headers: this is for pages that reach the service through a proxy.
   */
  readonly allowedOrigins?: readonly string[];
  /**
   * Host names, without a port, by which the service may be called beside the local ones. Where the server listens on a
   * loopback address, or where names are given here, a request by any other name is refused. Default: none.
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

/** The kind of statuses that a host asked for. Throws a `ConfigError`: hosts in JavaScript can say anything. */
export function checkedStatuses(given: unknown): StatusKind {
  const known = STATUS_KINDS.find((kind) => kind === given);
  if (known !== undefined) return known;
  const shown = String(given).slice(0, 100);
  throw new ConfigError([
    { variable: 'statuses', message: `statuses is ${shown}: it must be one of ${STATUS_KINDS.join(', ')}.` },
  ]);
}
