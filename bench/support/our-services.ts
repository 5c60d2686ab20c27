import { join } from 'node:path';
import { caughtUp } from './caught-up.ts';
import { post, type Target } from './load.ts';
import type { Scope } from './scope.ts';
import { startService } from './service.ts';
import { startThree, threeUnits } from './workflows.ts';

export interface FlowgateService extends Target {
  /** Of the service itself, without a path. */
  readonly root: string;
  readonly pid: number;
  /** What one run answers. */
  readonly record: unknown;
}

interface FlowgateOptions {
  /** Where its three units are called; absent: they are builtin ones. */
  readonly unitEndpoint?: string;
  /** More settings, by the names of their variables. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The folder of another build. */
  readonly build?: string;
}

/** The service as it is shipped, with a workflow of three units. */
export async function startFlowgate(
  scope: Scope,
  store: 'memory' | 'sqlite' | 'postgres',
  { unitEndpoint, settings = {}, build = 'dist' }: FlowgateOptions = {},
): Promise<FlowgateService> {
  const { url: root, pid } = await scope.use(
    startService(join(build, 'main.js'), {
      FLOWGATE_STORE: store,
      FLOWGATE_DATA_DIR: scope.folder(),
      LOG_LEVEL: 'error',
      ...settings,
    }),
  );
  return { ...(await threeWith(root, {}, unitEndpoint)), root, pid, pids: [pid] };
}

/** Registers the three units at a service, and has them run once. */
export async function threeWith(
  root: string,
  headers: Readonly<Record<string, string>>,
  unitEndpoint?: string,
) {
  await post(
    `${root}/workflows/from-yaml`,
    unitEndpoint === undefined
      ? { yaml: threeUnits.replaceAll('UNIT', 'builtin.mock') }
      : {
          yaml: threeUnits.replaceAll('UNIT', 'bench.remote'),
          bindings: { 'bench.remote': { type: 'http', endpoint: unitEndpoint } },
        },
    headers,
  );
  const url = `${root}/workflows/three/runs`;
  const record = await post(url, startThree, headers);
  const { status } = record as { status: unknown };
  if (status !== 'completed') throw new Error(`A run ended as ${String(status)}.`);
  return { url, body: startThree, headers, record, caughtUp: () => caughtUp(() => memoryBehind(root)) };
}

/** Entries of the log that the service's memory has not read yet. */
export async function memoryBehind(root: string): Promise<number> {
  const response = await fetch(`${root}/health`);
  const { memory } = (await response.json()) as { memory?: { behind: number } };
  if (memory === undefined) throw new Error(`/health: ${response.status}`);
  return memory.behind;
}

export async function startBare(scope: Scope, record: unknown): Promise<Target> {
  const env = { BENCH_RECORD: JSON.stringify(record) };
  return targetOf(await scope.use(startService('bench/services/bare.ts', env)));
}

export async function startByHand(scope: Scope, unitEndpoint: string): Promise<Target> {
  return targetOf(await scope.use(startService('bench/services/by-hand.ts', { BENCH_UNIT: unitEndpoint })));
}

/** Where HTTP units lead to. */
export async function startUnit(scope: Scope): Promise<string> {
  const { url } = await scope.use(startService('bench/services/unit.ts', {}));
  return `${url}/unit`;
}

function targetOf({ url, pid }: { readonly url: string; readonly pid: number }): Target {
  return { url: `${url}/workflows/three/runs`, body: startThree, pids: [pid], caughtUp: null };
}
