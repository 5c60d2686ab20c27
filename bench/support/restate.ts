import { join } from 'node:path';
import { installPeers, NO_TELEMETRY, versionOf } from './peers.ts';
import type { Scope } from './scope.ts';
import { freePort, startProgram, startService } from './service.ts';
import type { Target } from './load.ts';

const BINARY = `bench/peers/node_modules/@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`;

export const RESTATE_DURABILITY =
  'as installed, one node: the journal in RocksDB with its write-ahead log synced to the disk before an answer';

/** restate-server with an empty folder, and our service registered with it. */
export async function startRestate(scope: Scope): Promise<Target & { readonly version: string }> {
  installPeers();
  const [node, ingress, admin] = [await freePort(), await freePort(), await freePort()];
  const service = await scope.use(
    startService('bench/peers/restate-service.ts', { ...NO_TELEMETRY, NODE_ENV: 'production' }),
  );
  const server = await scope.use(
    startProgram(
      BINARY,
      ['--no-logo', '--base-dir', join(scope.folder(), 'data')],
      {
        ...NO_TELEMETRY,
        RUST_LOG: 'off',
        RESTATE_LISTEN_MODE: 'tcp',
        RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
        RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
        RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      },
      `http://127.0.0.1:${ingress}`,
    ),
  );
  await register(`http://127.0.0.1:${admin}/deployments`, service.url);
  return {
    url: `http://127.0.0.1:${ingress}/three/run`,
    body: { amount: 5 },
    pids: [service.pid, server.pid],
    caughtUp: null,
    version: versionOf('@restatedev/restate-server'),
  };
}

/** Its parts come up one after another, so more than one try is needed. */
async function register(url: string, service: string): Promise<void> {
  let said = '';
  for (let tries = 0; tries < 100; tries++) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ uri: service }),
    }).catch((error: unknown) => String(error));
    if (typeof answer !== 'string' && answer.ok) return;
    said = typeof answer === 'string' ? answer : await answer.text();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`restate-server did not take our service: ${said.slice(0, 300)}`);
}
