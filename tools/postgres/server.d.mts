export interface PostgresOptions {
  /** An empty folder of this machine for all that the server keeps. Default: a temporary one, removed by `stop`. */
  readonly folder?: string;
  /** Given to the server at each start, such as `{ max_connections: '300' }`. Default: as installed. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Default: `postgres`. */
  readonly superuser?: string;
  /** More options of `initdb`. */
  readonly initdb?: readonly string[];
}

/** Starts an empty server with its defaults on a free port of 127.0.0.1. Whoever connects from there is trusted. */
export function startPostgres(options?: PostgresOptions): Promise<PostgresServer>;

/** A server of its own, with a data folder of its own; below root it runs as `nobody`, since PostgreSQL refuses to be root. */
export class PostgresServer {
  readonly port: number;
  readonly superuser: string;
  /** The folder with its data, which exists once it was started. */
  readonly data: string;
  /** The folder of PostgreSQL's programs. */
  readonly programs: string;
  /** What `postgres --version` says. */
  readonly version: string;
  /** Of the first of its processes; 0: none is running. */
  readonly pid: number;
  /** What the server has written since its first start; the newest 256 KiB. */
  readonly log: string;
  /** `postgresql://user@127.0.0.1:port/database`. */
  url(request?: { readonly database?: string; readonly user?: string; readonly password?: string }): string;
  /** Starts it again, on the same port; resolves once it serves. */
  start(): Promise<void>;
  /** Its "fast" shutdown: connections that are open are ended. Removes the folder if that is its own. */
  stop(): Promise<void>;
  /** Its "immediate" shutdown, after which the next start recovers, and that start. */
  restartImmediately(): Promise<void>;
  /** SIGKILL to every process of it; the folder stays. */
  kill(): Promise<void>;
  /** SIGSTOP to every process of it: connections stay open, and nothing answers. */
  freeze(): void;
  thaw(): void;
  /** Performs each statement in a transaction of its own, as the superuser; resolves with the rows of all, one a line. */
  execute(statements: string | readonly string[], database?: string): Promise<string>;
  createDatabase(name: string, options?: string): Promise<void>;
  /** Calls one of PostgreSQL's programs, with the address of this server in its environment; resolves with its output. */
  run(program: string, args: readonly string[]): Promise<string>;
  /** Another server that follows this one; from now on every commit here waits until that has it on its disk. */
  standby(name?: string): Promise<PostgresServer>;
  /** Makes this standby a server that writes; resolves once it does. */
  promote(): Promise<void>;
}
