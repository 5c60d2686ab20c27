import { setTimeout as delay } from 'node:timers/promises';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { Choices, printedSeed } from '../crash/support/choices.js';
import { inSequence } from '../support/engine.js';
import { until } from '../support/eventually.js';
import { counted } from './support/counts.js';
import { startedDatabase, type StartedDatabase } from './support/database.js';

const ROUNDS = counted(150);
const STARTS = 6;
/** A start takes some milliseconds: within this a deletion meets it in every way. */
const APART_MS = 12;
const YAML = inSequence('w', [
  { id: 'one', uses: 'work' },
  { id: 'two', uses: 'work' },
]);

const choices = new Choices(printedSeed('deletes and starts'));
let database: StartedDatabase;
let replicas: readonly Engine[];

beforeEach(async () => {
  database = await startedDatabase();
  replicas = [0, 1].map(() => {
    const parts = database.replica();
    const engine = createEngine({ ...parts, registry: 'durable', shutdownGraceMs: 1_000 });
    engine.registerUnit('work', () => 'done');
    return engine;
  });
  for (const engine of replicas) await engine.open();
});
afterEach(async () => {
  for (const engine of replicas) await engine.close();
  await database.dispose();
});

const anyOf = (): Engine => replicas[choices.happens(0.5) ? 0 : 1]!;

/** The run that was begun; null: its workflow is unknown. Nothing else may come of it. */
async function startLate(): Promise<string | null> {
  await delay(choices.fraction() * APART_MS);
  try {
    const { runId } = await anyOf().runs.start({ workflowId: 'w', input: {}, sync: choices.happens(0.5) });
    return runId;
  } catch (error) {
    expect(error).toMatchObject({ code: 'unknown-workflow' });
    return null;
  }
}

it(`a start that meets the deletion of its workflow at another replica runs, or finds none: ${ROUNDS} times`, async () => {
  const outcomes = { begun: 0, unknown: 0 };
  const begun: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await anyOf().workflows.register({ yaml: YAML });
    // Both know it, so that one of them has to learn that it is gone.
    for (const engine of replicas) expect(await engine.workflows.has('w')).toBe(true);
    const starts = Array.from({ length: STARTS }, startLate);
    await delay(choices.fraction() * APART_MS);
    await anyOf().workflows.unregister('w');
    for (const runId of await Promise.all(starts)) {
      outcomes[runId === null ? 'unknown' : 'begun'] += 1;
      if (runId !== null) begun.push(runId);
    }
    // What is deleted stays so, at both.
    for (const engine of replicas) {
      await expect(engine.runs.start({ workflowId: 'w', input: {} })).rejects.toMatchObject({
        code: 'unknown-workflow',
      });
    }
  }
  process.stdout.write(`${outcomes.begun} begun, ${outcomes.unknown} unknown\n`);
  // Both were first at times: else nothing was tried here.
  expect(Math.min(outcomes.begun, outcomes.unknown)).toBeGreaterThan(0);
  // Those that began come to their end though their workflow is gone.
  for (const runId of begun) {
    await until(async () => {
      const record = await replicas[0]!.runs.get({ workflowId: 'w', runId });
      return record?.status === 'completed';
    }, `${runId} completes`);
  }
}, 300_000);
