// `npm run bench:postgres-million -- [RUNS]`: what a million runs on PostgreSQL cost those who are there: a replica that starts, pages of
// lists, and starts beside a past week that is dropped. Runs and log are written with SQL. Not measured: HTTP, a cold disk, a network.
import pg from 'pg';
import { createEngine, type ListRunsRequest } from '../dist/engine/index.js';
import { postgres } from '../dist/postgres.js';
import { cpuMicrosOf } from './support/cpu-time.ts';
import { startPostgres, type Postgres } from './support/postgres.ts';
import { scoped } from './support/scope.ts';
import { percentile } from './support/statistics.ts';
import { startThree, threeUnits } from './support/workflows.ts';

const RUNS = Number(process.argv[2] ?? 1_000_000);
const PAGES = 200;
const WARM_UP = 20;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** A run every second, up to a minute ago. */
const NEWEST = Date.now() - 60_000;
const OLDEST = NEWEST - RUNS * 1_000;
/** Of a week whose runs were all purged. */
const PAST_ROWS = Math.round(RUNS / 4);
const PAST_MONDAY = 4 * DAY_MS + Math.floor((OLDEST - 4 * DAY_MS) / WEEK_MS - 2) * WEEK_MS;
const PAST_WEEK = weekOf(PAST_MONDAY);

async function open({ databaseUrl }: Postgres, { stays = false } = {}) {
  const engine = createEngine({ ...postgres({ url: databaseUrl }) });
  await engine.open();
  if (!stays) await engine.close();
  return engine;
}

async function sql({ databaseUrl }: Postgres, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(text)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

/** UUIDv7 of an instant, as SQL, distinct by `i`. */
const idAt = (ms: string): string =>
  `(left(lpad(to_hex(${ms}), 12, '0'), 8) || '-' || right(lpad(to_hex(${ms}), 12, '0'), 4) || '-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid`;

async function fill(server: Postgres): Promise<void> {
  const hex = (ms: number): string => ms.toString(16).padStart(12, '0');
  const least = (ms: number): string => `${hex(ms).slice(0, 8)}-${hex(ms).slice(8)}-0000-0000-000000000000`;
  const at = `(${OLDEST} + i * 1000::bigint)`;
  for (const text of [
    `INSERT INTO flowgate.runs (run_id, shard_byte, namespace, workflow_id, definition_hash, status, created_at, updated_at, ended_at,
       open_executions, wake_at, last_seq, last_position, origin, gates, is_cancelled)
     SELECT ${idAt(at)}, i % 256, 'default', 'flow-' || (i % 20), 'hash-' || (i % 60),
       CASE WHEN i % 33 = 0 THEN 'failed' ELSE 'completed' END, ${at}, ${at}, ${at}, 0, NULL, 1, i, 'client', 0, false
     FROM generate_series(1, ${RUNS}) AS i`,
    `INSERT INTO flowgate.run_labels (run_id, name, value, namespace, created_at)
     SELECT run_id, 'team', 't' || (created_at / 1000 % 50), namespace, created_at FROM flowgate.runs`,
    ...['log', 'states'].map(
      (table) => `CREATE TABLE flowgate.${table}_${PAST_WEEK} PARTITION OF flowgate.${table}
        FOR VALUES FROM ('${least(PAST_MONDAY)}') TO ('${least(PAST_MONDAY + WEEK_MS)}')`,
    ),
    `INSERT INTO flowgate.log (run_id, last_seq, first_seq, position, at, events)
     SELECT ${idAt(`(${PAST_MONDAY} + i)`)}, 1, 1, i, 1, repeat('x', 500) FROM generate_series(1, ${PAST_ROWS}) AS i`,
    'VACUUM ANALYZE',
  ])
    await sql(server, text);
}

async function besideADroppedWeek(engine: Awaited<ReturnType<typeof open>>, server: Postgres): Promise<void> {
  const from = performance.now();
  let longest = 0;
  let runs = 0;
  const isThere = async (): Promise<boolean> =>
    (await sql(server, `SELECT to_regclass('flowgate.log_${PAST_WEEK}') IS NOT NULL AS is`))[0]?.['is'] ===
    true;
  let nextLook = 0;
  while (performance.now() - from < 60_000) {
    const before = performance.now();
    await engine.runs.start({ workflowId: 'three', ...startThree });
    longest = Math.max(longest, performance.now() - before);
    runs += 1;
    if (performance.now() < nextLook) continue;
    if (!(await isThere())) break;
    nextLook = performance.now() + 250;
  }
  const isGone = !(await isThere());
  console.log(
    `a past week is ${isGone ? 'gone' : 'still there'} after ${since(from)} ms, beside ${runs} runs one after the other, the longest ${longest.toFixed(0)} ms`,
  );
}

const any = (n: number): number => Math.floor(n * Math.random());
const middle = (): number => OLDEST + any(RUNS) * 1_000;

const REQUESTS: Readonly<Record<string, () => ListRunsRequest>> = {
  none: () => ({}),
  'somewhere in the middle': () => ({ createdBefore: middle() }),
  workflowId: () => ({ workflowId: `flow-${any(20)}`, createdBefore: middle() }),
  'status (failed)': () => ({ status: ['failed'], createdBefore: middle() }),
  'status (completed)': () => ({ status: ['completed'], createdBefore: middle() }),
  label: () => ({ labels: { team: `t${any(50)}` }, createdBefore: middle() }),
  'label and status': () => ({ labels: { team: `t${any(50)}` }, status: ['failed'] }),
  definitionHash: () => ({ definitionHash: `hash-${any(60)}` }),
};

/** A page of 50. The CPU of both, since a page may be cheap for one because it is dear for the other. */
async function pages(
  engine: Awaited<ReturnType<typeof open>>,
  { pid }: Postgres,
  name: string,
  make: () => ListRunsRequest,
): Promise<void> {
  const [took, node]: number[][] = [[], []];
  let databaseBefore = 0;
  for (let round = -WARM_UP; round < PAGES; round++) {
    if (round === 0) databaseBefore = cpuMicrosOf([pid]) ?? 0;
    const before = performance.now();
    const cpuBefore = process.cpuUsage();
    await engine.runs.list(make());
    if (round < 0) continue;
    const { user, system } = process.cpuUsage(cpuBefore);
    took?.push(performance.now() - before);
    node?.push((user + system) / 1_000);
  }
  const database = ((cpuMicrosOf([pid]) ?? 0) - databaseBefore) / 1_000 / PAGES;
  const figures = [
    percentile(took ?? [], 0.5),
    percentile(took ?? [], 0.99),
    percentile(node ?? [], 0.99),
    database,
  ];
  const [p50, p99, cpu, ofDatabase] = figures.map((ms) => ms.toFixed(1).padStart(6));
  console.log(
    `${name.padEnd(26)} p50 ${p50} ms  p99 ${p99} ms  CPU: p99 ${cpu} ms of Node, ${ofDatabase} ms of PostgreSQL on average`,
  );
}

function since(instant: number): string {
  return (performance.now() - instant).toFixed(0);
}

/** `2026w48`, by ISO 8601: a week is of the year that its Thursday is in. */
function weekOf(mondayMs: number): string {
  const thursday = mondayMs + 3 * DAY_MS;
  const year = new Date(thursday).getUTCFullYear();
  const number = 1 + Math.floor((thursday - Date.UTC(year, 0, 1)) / WEEK_MS);
  return `${year}w${String(number).padStart(2, '0')}`;
}

await scoped(async (scope) => {
  const server = await startPostgres(scope);
  await open(server);
  await fill(server);
  console.log(`${RUNS} runs, and ${PAST_ROWS} entries of a past week`);
  const before = performance.now();
  const engine = await open(server, { stays: true });
  await engine.workflows.register({ yaml: threeUnits.replaceAll('UNIT', 'builtin.mock') });
  await engine.runs.start({ workflowId: 'three', ...startThree });
  console.log(`opened, and a first run at its end, after ${since(before)} ms`);
  await besideADroppedWeek(engine, server);
  for (const [name, request] of Object.entries(REQUESTS)) await pages(engine, server, name, request);
  await engine.close();
});
