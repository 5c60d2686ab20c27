import { startPostgres as startServer } from '../../tools/postgres/server.mjs';
import type { Scope } from './scope.ts';

const NAME = 'bench';

export const POSTGRES_DURABILITY =
  'as installed: fsync and synchronous_commit on, so that every commit is synced to the disk before an answer';

export interface Postgres {
  /** A database of its own. */
  readonly databaseUrl: string;
  readonly pid: number;
  readonly version: string;
  /** Makes one more, and resolves with its address. */
  createDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
}

/** An empty server with its defaults, on a free port of 127.0.0.1, in a folder that goes with the scope. */
export async function startPostgres(scope: Scope): Promise<Postgres> {
  const folder = scope.folder();
  const server = await scope.use(startServer({ folder, superuser: NAME }));
  await server.createDatabase(NAME);
  return {
    databaseUrl: server.url({ database: NAME }),
    pid: server.pid,
    version: server.version,
    async createDatabase(name) {
      await server.createDatabase(name);
      return server.url({ database: name });
    },
    stop: () => server.stop(),
  };
}
