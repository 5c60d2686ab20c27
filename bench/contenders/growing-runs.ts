// Runs that grow: in units, in width, in state. An engine in memory and one on SQLite, in a process of their own.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, InMemoryRunStore, type Engine } from '../../dist/engine/index.js';
import { SqliteMemoryIndex, SqliteRunStore } from '../../dist/index.js';
import { answerParent } from '../support/child.ts';
import { growingWorkflow, type GrowingShape } from '../support/growing-workflows.ts';

export interface GrowingQuestion {
  readonly shape: GrowingShape;
  readonly size: number;
  readonly store: 'memory' | 'sqlite';
  /** Runs of this round. */
  readonly runs: number;
}

/** Enough for the widest run to have all its units in flight: one run gets three fifths. */
const MAX_EXECUTIONS_IN_FLIGHT = 20_000;
const AT_ONCE = 4;

const folder = await mkdtemp(join(tmpdir(), 'flowgate-bench-'));
const maxExecutionsInFlight = MAX_EXECUTIONS_IN_FLIGHT;
const engines: Readonly<Record<GrowingQuestion['store'], Engine>> = {
  memory: createEngine({ maxExecutionsInFlight, store: countedStore() }),
  sqlite: createEngine({
    maxExecutionsInFlight,
    store: new SqliteRunStore({ folder }),
    memory: new SqliteMemoryIndex({ folder }),
  }),
};
const answers: (() => void)[] = [];
const log = { appends: 0 };
for (const engine of Object.values(engines)) {
  await engine.open();
  engine.registerUnit('bench.unit', () => ({ ok: true }));
  engine.registerUnit('bench.text', ({ input }) => 'x'.repeat((input as { chars: number }).chars));
  // One that answers when the measurement says so.
  engine.registerUnit(
    'bench.held',
    () => new Promise((resolve) => answers.push(() => resolve({ ok: true }))),
  );
}

answerParent<GrowingQuestion, number>(cpuMicrosPerRun, async () => {
  for (const engine of Object.values(engines)) await engine.close();
  await rm(folder, { recursive: true, force: true });
});

async function cpuMicrosPerRun({ shape, size, store, runs }: GrowingQuestion): Promise<number> {
  const engine = engines[store];
  const { workflowId, yaml, input } = growingWorkflow(shape, size);
  await engine.workflows.register({ yaml });
  let left = runs;
  const before = process.cpuUsage();
  const caller = async (): Promise<void> => {
    while (left-- > 0) {
      const run = engine.runs.start({ workflowId, input, sync: true });
      if (shape !== 'units' && shape !== 'state') await answerOneByOne(size);
      const { status } = await run;
      if (status !== 'completed') throw new Error(`A run of ${workflowId} ended as ${status}.`);
    }
  };
  // Nothing distinguishes units that wait: their runs come sequentially.
  await Promise.all(Array.from({ length: shape === 'units' || shape === 'state' ? AT_ONCE : 1 }, caller));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / runs;
}

/** Lets one after another answer: each when what followed from the one before is in the log. */
async function answerOneByOne(size: number): Promise<void> {
  for (let answered = 0; answered < size; answered++) {
    while (answers.length === 0) await eventLoopTurn();
    const before = log.appends;
    answers.shift()?.();
    while (log.appends === before) await eventLoopTurn();
  }
}

function countedStore(): InMemoryRunStore {
  const store = new InMemoryRunStore();
  const append = store.append.bind(store);
  store.append = (request) => {
    log.appends++;
    return append(request);
  };
  return store;
}

function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
