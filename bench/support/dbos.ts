import { installPeers, NO_TELEMETRY, versionOf } from './peers.ts';
import { startPostgres } from './postgres.ts';
import type { Scope } from './scope.ts';
import { startService } from './service.ts';
import type { Target } from './load.ts';

/** A DBOS service on a PostgreSQL of its own; the CPU of both is counted. */
export async function startDbos(
  scope: Scope,
): Promise<Target & { readonly version: string; readonly postgres: string }> {
  installPeers();
  const postgres = await startPostgres(scope);
  const service = await scope.use(
    startService('bench/peers/dbos-service.ts', {
      ...NO_TELEMETRY,
      NODE_ENV: 'production',
      NODE_OPTIONS: '--no-deprecation',
      BENCH_DATABASE: postgres.databaseUrl,
    }),
  );
  return {
    url: service.url,
    body: { amount: 5 },
    pids: [service.pid, postgres.pid],
    caughtUp: null,
    version: versionOf('@dbos-inc/dbos-sdk'),
    postgres: postgres.version,
  };
}
