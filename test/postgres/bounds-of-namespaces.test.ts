import { createEngine, type Engine } from '../../src/engine/index.js';
import { document, gate } from '../support/workflow-documents.js';
import { startedDatabase, type StartedDatabase } from './support/database.js';

const NAMESPACE = 'acme';
const REPLICAS = 3;
const MOST_RUNS = 6;
const MOST_WORKFLOWS = 4;

let database: StartedDatabase;
let engines: Engine[];
beforeEach(async () => {
  database = await startedDatabase();
  engines = Array.from({ length: REPLICAS }, () =>
    createEngine({
      ...database.replica(),
      maxOpenRunsPerNamespace: MOST_RUNS,
      maxWorkflowsPerNamespace: MOST_WORKFLOWS,
      shutdownGraceMs: 100,
    }),
  );
  for (const engine of engines) await engine.open();
}, 60_000);
afterEach(async () => {
  for (const engine of engines) await engine.close();
  await database.dispose();
});

const register = (engine: Engine, id: string) =>
  engine.workflows.register({ yaml: document(id, [gate('agree')]), namespace: NAMESPACE });
const start = (engine: Engine) => engine.runs.start({ workflowId: 'w', namespace: NAMESPACE });

/** What each replica does at once, so many times: how many succeed, and with which codes the others fail. */
async function allAtOnce(
  times: number,
  work: (engine: Engine, time: number, replica: number) => Promise<unknown>,
) {
  const done = await Promise.allSettled(
    engines.flatMap((engine, replica) =>
      Array.from({ length: times }, (_, time) => work(engine, time, replica)),
    ),
  );
  const codes = new Set(
    done.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code?: string }).code] : [])),
  );
  return { succeeded: done.filter(({ status }) => status === 'fulfilled').length, codes };
}

const countOf = async (table: string): Promise<number> => {
  const [row] = await database.sql(`SELECT count(*) AS count FROM @.${table} WHERE namespace = $1`, [
    NAMESPACE,
  ]);
  return Number(row?.['count']);
};

it('open runs exceed their bound by what the other replicas begin meanwhile, and no run begins after that', async () => {
  await register(engines[0]!, 'w');
  const first = await allAtOnce(2 * MOST_RUNS, start);
  expect([...first.codes]).toEqual(['namespace-full']);
  expect(first.succeeded).toBeGreaterThanOrEqual(MOST_RUNS);
  expect(first.succeeded).toBeLessThanOrEqual(REPLICAS * MOST_RUNS);
  expect(await countOf('runs')).toBe(first.succeeded);
  expect(await allAtOnce(3, start)).toEqual({ succeeded: 0, codes: new Set(['namespace-full']) });
}, 60_000);

it('workflows exceed their bound by what the other replicas register at the same instant, and none is after that', async () => {
  const first = await allAtOnce(MOST_WORKFLOWS + 2, (engine, time, replica) =>
    register(engine, `w${replica}-${time}`),
  );
  expect([...first.codes]).toEqual(['registry-full']);
  expect(first.succeeded).toBeGreaterThanOrEqual(MOST_WORKFLOWS);
  expect(first.succeeded).toBeLessThanOrEqual(REPLICAS * MOST_WORKFLOWS);
  const later = await allAtOnce(1, (engine, _time, replica) => register(engine, `later-${replica}`));
  expect(later).toEqual({ succeeded: 0, codes: new Set(['registry-full']) });
}, 60_000);
