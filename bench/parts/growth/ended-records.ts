import { grow } from '../../support/growth.ts';
import { cpuMicrosOf } from '../../support/cpu-time.ts';
import { post } from '../../support/load.ts';
import { startFlowgate } from '../../support/our-services.ts';
import { growingWorkflow } from '../../support/growing-workflows.ts';
import type { Effort } from '../../support/part.ts';
import type { Gap, Series } from '../../support/results.ts';
import type { Scope } from '../../support/scope.ts';

const UNITS = [20, 200, 2_000, 20_000];
const BOUND_MS = 60_000;

/** `GET` of a run that ended, over HTTP, one after another. */
export async function endedRecords(effort: Effort, scope: Scope, gaps: Gap[]): Promise<readonly Series[]> {
  const stores = {
    'in memory': await startFlowgate(scope, 'memory'),
    'on SQLite': await startFlowgate(scope, 'sqlite'),
  };
  const urls = new Map<string, string>();
  for (const [store, { root }] of Object.entries(stores)) {
    for (const size of UNITS) urls.set(`${store} ${size}`, await ended(root, size));
  }
  const pollSeconds = effort.seconds / 2;
  const poll = async (store: keyof typeof stores, size: number): Promise<number> => {
    const url = urls.get(`${store} ${size}`) ?? '';
    const before = cpuMicrosOf(stores[store].pids);
    const end = performance.now() + pollSeconds * 1_000;
    let polls = 0;
    for (; performance.now() < end || polls === 0; polls++) await (await fetch(url)).arrayBuffer();
    const after = cpuMicrosOf(stores[store].pids);
    return before === null || after === null ? Number.NaN : (after - before) / 1_000 / polls;
  };
  const lines = await grow(
    {
      name: 'GET of an ended run',
      sizes: UNITS,
      rounds: effort.rounds,
      boundMs: BOUND_MS,
      measure: async (size) => ({
        'in memory': await poll('in memory', size),
        'on SQLite': await poll('on SQLite', size),
      }),
    },
    gaps,
  );
  return [
    {
      id: 'ended-record',
      title: '`GET` of an ended run, per poll',
      sizeName: 'units of the run',
      unit: 'ms CPU per poll',
      axes: 'powers',
      lines,
    },
  ];
}

/** Runs so many units, one after another, and waits for the end; answers the address of the run. */
async function ended(root: string, size: number): Promise<string> {
  const { workflowId, yaml } = growingWorkflow('units', size, 'builtin.mock');
  await post(`${root}/workflows/from-yaml`, { yaml });
  const { runId } = (await post(`${root}/workflows/${workflowId}/runs`, {})) as { runId: string };
  const url = `${root}/workflows/${workflowId}/runs/${runId}`;
  for (;;) {
    const { status } = (await (await fetch(url)).json()) as { status: string };
    if (status === 'completed') return url;
    if (status !== 'running' && status !== 'pending')
      throw new Error(`A run of ${size} units ended as ${status}.`);
    // Polls are what is measured, and may be dear: not many of them here.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}
