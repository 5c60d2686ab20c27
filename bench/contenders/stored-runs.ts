// An engine on SQLite whose folder holds many ended runs. Arguments: how many, and an empty folder. They are copies of a real one, made with
// SQL: every row that belongs to it, under other ids.
import { join } from 'node:path';
import { createEngine, type Engine } from '../../dist/engine/index.js';
import { ANY_RUN } from '../../dist/engine/ports/store/run-filter.js';
import { SqliteMemoryIndex, SqliteRunStore } from '../../dist/index.js';
import { answerParent } from '../support/child.ts';
import { copyRun } from '../support/copy-run.ts';
import { startThree, threeUnits } from '../support/workflows.ts';

export interface StoredRunsCost {
  readonly openMs: number;
  /** µs of CPU. */
  readonly start: number;
  readonly list: number;
  readonly get: number;
}

const STARTS = 500;
const LISTS = 200;
const GETS = 500;
const PAGE = 50;

const count = Number(process.argv[2] ?? 1_000);
const folder = process.argv[3] ?? '';

const first = await opened();
const { runId } = await first.engine.runs.start({ workflowId: 'three', ...startThree });
await first.engine.close();
const runIdOf = copyRun(join(folder, 'runs.db'), runId, count);

answerParent<object, StoredRunsCost>(costOfOne, async () => {});

async function costOfOne(): Promise<StoredRunsCost> {
  const before = performance.now();
  const { engine, store } = await opened();
  const openMs = performance.now() - before;
  const any = () => runIdOf(1 + Math.floor(Math.random() * count));
  try {
    return {
      openMs,
      start: await cpuMicros(STARTS, () => engine.runs.start({ workflowId: 'three', ...startThree })),
      list: await cpuMicros(LISTS, () =>
        store.findRuns({
          namespace: 'default',
          filter: { ...ANY_RUN, workflowId: 'three' },
          before: null,
          limit: PAGE,
        }),
      ),
      get: await cpuMicros(GETS, () => engine.runs.get({ workflowId: 'three', runId: any() })),
    };
  } finally {
    await engine.close();
  }
}

async function opened(): Promise<{ readonly engine: Engine; readonly store: SqliteRunStore }> {
  const store = new SqliteRunStore({ folder });
  const engine = createEngine({ store, memory: new SqliteMemoryIndex({ folder }) });
  await engine.open();
  engine.registerUnit('bench.unit', () => ({ ok: true }));
  await engine.workflows.register({ yaml: threeUnits.replaceAll('UNIT', 'bench.unit') });
  return { engine, store };
}

async function cpuMicros(times: number, operate: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time++) await operate();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}
