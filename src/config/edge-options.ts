/** What the HTTP and MCP edge can be told. */
export interface EdgeOptions {
  /** The longest request body, in bytes. Default 8 MiB. A host's own body parser has its own limit. */
  readonly maxBodyBytes?: number;
  /** Whether the call of a unit may start, resume, decide or register here. Default false. */
  readonly allowSelfCalls?: boolean;
  /** `serverInfo.name` of the MCP gateway. Default `flowgate`. */
  readonly serverName?: string;
  /** A folder of workflow documents to register at the start. Null (the default): none. */
  readonly workflowsDir?: string | null;
}

export const EDGE_DEFAULTS = {
  maxBodyBytes: 8 * 1024 * 1024,
  allowSelfCalls: false,
  serverName: 'flowgate',
} as const;
