// Part 7: what runs cost that wait a week: memory of the service above that of one without runs, and disk. On SQLite. Nothing
// of them falls due meanwhile; not measured: what they cost when it does.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { copyRun } from '../support/copy-run.ts';
import { cpuMicrosOf, residentMegabytesOf } from '../support/cpu-time.ts';
import { say, type Effort, type Part } from '../support/part.ts';
import { NOTHING_FOUND, type Findings, type Gap } from '../support/results.ts';
import { scoped } from '../support/scope.ts';
import { freePort, startProgram } from '../support/service.ts';
import { figureOf } from '../support/statistics.ts';
import { SQLITE_DURABILITY } from './engine.ts';

const SETTLE_MS = 5_000;

const aWeek = `
apiVersion: flowgate/v1
kind: Workflow
metadata: { id: a-week }
spec:
  units:
    - { id: wait, uses: builtin.wait, config: { duration: P7D } }
  flow: wait
`;

export const waiting: Part = {
  name: 'waiting',
  title: 'runs that wait a week: memory and disk',
  minutes: 5,
  measure,
};

interface Cost {
  readonly startMs: number[];
  readonly megabytes: number[];
  readonly cpuMsPerSecond: number[];
}

async function measure(effort: Effort): Promise<Findings> {
  const sizes = effort.quick ? [1_000, 10_000] : [1_000, 10_000, 100_000];
  return scoped(async (scope) => {
    const folders = new Map<number, string>();
    for (const size of [0, ...sizes]) {
      const folder = scope.folder();
      await fill(folder, size);
      folders.set(size, folder);
      say(`  ${size} runs: ${Math.round(diskMegabytesOf(folder))} MB of disk`);
    }
    const costs = new Map<number, Cost>();
    for (let round = 0; round < effort.rounds; round++) {
      for (const [size, folder] of folders) {
        const cost = costs.get(size) ?? { startMs: [], megabytes: [], cpuMsPerSecond: [] };
        costs.set(size, cost);
        await startOnce(folder, effort.quick ? 1_000 : SETTLE_MS, cost);
      }
    }
    return findingsOf(sizes, folders, costs);
  });
}

function findingsOf(
  sizes: readonly number[],
  folders: ReadonlyMap<number, string>,
  costs: ReadonlyMap<number, Cost>,
): Findings {
  const empty = costs.get(0)?.megabytes ?? [];
  const largest = sizes.at(-1) ?? 0;
  const { startMs = [], cpuMsPerSecond = [] } = costs.get(largest) ?? {};
  const above = sizes.map((size) => {
    const megabytes = costs.get(size)?.megabytes ?? [];
    // Round by round; what is less than nothing is noise.
    const more = megabytes.map((held, round) => Math.max(0.1, held - (empty[round] ?? held)));
    return { size, value: figureOf(more) };
  });
  const disk = sizes.map((size) => ({ size, value: figureOf([diskMegabytesOf(folders.get(size) ?? '')]) }));
  const notAvailable: Gap[] =
    empty.length > 0 ? [] : [{ name: 'memory of the service', reason: 'there is no /proc' }];
  const many = `${largest.toLocaleString('en')} runs that wait`;
  return {
    ...NOTHING_FOUND,
    series: [
      {
        id: 'waiting',
        title: 'Runs that wait a week, on SQLite',
        sizeName: 'runs that wait',
        unit: 'MB',
        axes: 'powers',
        lines: [
          ...(empty.length > 0 ? [{ name: 'resident memory above an empty start', points: above }] : []),
          { name: 'disk', points: disk },
        ],
      },
    ],
    quantities: [
      { id: 'start', title: `Start of the service over ${many}`, unit: 'ms', value: figureOf(startMs) },
      ...(cpuMsPerSecond.length === 0
        ? []
        : [
            {
              id: 'cpu',
              title: `CPU, idle, over ${many}`,
              unit: 'ms per second',
              value: figureOf(cpuMsPerSecond),
            },
          ]),
    ],
    notAvailable,
    durability: { 'service on SQLite': SQLITE_DURABILITY },
  };
}

/** One that was started, and copies of it. What was built is loaded here: the page reads this file before anything is. */
async function fill(folder: string, size: number): Promise<void> {
  const { createEngine } = await import('../../dist/engine/index.js');
  const { SqliteMemoryIndex, SqliteRunStore } = await import('../../dist/index.js');
  const store = new SqliteRunStore({ folder });
  const engine = createEngine({ store, memory: new SqliteMemoryIndex({ folder }) });
  await engine.open();
  try {
    if (size === 0) return;
    await engine.workflows.register({ yaml: aWeek });
    const { runId } = await engine.runs.start({ workflowId: 'a-week' });
    await engine.close();
    copyRun(join(folder, 'runs.db'), runId, size - 1);
  } finally {
    await engine.close();
  }
}

/** The service on the folder, until it answered once, and then left alone for a while. */
function startOnce(folder: string, settleMs: number, cost: Cost): Promise<void> {
  return scoped(async (scope) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const env = { PORT: `${port}`, FLOWGATE_DATA_DIR: folder, LOG_LEVEL: 'error' };
    const before = performance.now();
    const { pid } = await scope.use(startProgram(process.execPath, ['dist/main.js'], env, url));
    const health = await fetch(`${url}/health`);
    if (!health.ok) throw new Error(`/health: ${health.status}`);
    cost.startMs.push(performance.now() - before);
    await pause(settleMs);
    const cpuBefore = cpuMicrosOf([pid]);
    await pause(settleMs);
    const cpuAfter = cpuMicrosOf([pid]);
    if (cpuBefore !== null && cpuAfter !== null) cost.cpuMsPerSecond.push((cpuAfter - cpuBefore) / settleMs);
    const megabytes = residentMegabytesOf(pid);
    if (megabytes !== null) cost.megabytes.push(megabytes);
  });
}

function diskMegabytesOf(folder: string): number {
  const files = readdirSync(folder).map((name) => statSync(join(folder, name)));
  return files.reduce((bytes, { size }) => bytes + size, 0) / 1e6;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
