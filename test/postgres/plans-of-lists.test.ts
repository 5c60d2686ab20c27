import { ANY_RUN, type RunFilter } from '../../src/engine/ports/store/run-filter.js';
import type { RunCursor } from '../../src/engine/ports/store/run-index.js';
import type { Database, Query, SqlValue } from '../../src/storage/postgres/database/database.js';
import { findRuns } from '../../src/storage/postgres/lists/find-runs.js';
import { listDefinitions } from '../../src/storage/postgres/lists/list-definitions.js';
import { countOpenGates, listGates, listOpenGates } from '../../src/storage/postgres/lists/list-gates.js';
import {
  listChildren,
  listDue,
  listRunsBelowWithGates,
  listUnfinished,
} from '../../src/storage/postgres/lists/list-runs.js';
import { readListed } from '../../src/storage/postgres/lists/listed-run.js';
import { countDescendants, readRoot } from '../../src/storage/postgres/lists/root-runs.js';
import { startedDatabase, type StartedDatabase } from './support/database.js';

interface Asked {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** A database that records its statements. */
class Noting implements Database {
  readonly asked: Asked[] = [];

  constructor(private readonly database: Database) {}

  readonly query: Query = this.noting((sql, values) => this.database.query(sql, values));

  transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.database.transaction((query) => work(this.noting(query)));
  }

  snapshot<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.database.snapshot((query) => work(this.noting(query)));
  }

  get base(): number {
    return this.database.base;
  }

  private noting(query: Query): Query {
    return (sql, values = []) => {
      if (!this.asked.some((one) => one.sql === sql)) this.asked.push({ sql, values });
      return query(sql, values);
    };
  }
}

/** A step of a plan, as EXPLAIN has it in JSON. */
interface Step {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Subplan Name'?: string;
  readonly Plans?: readonly Step[];
}

/** Runs of the namespace `default`, made at instants 1, 2, 3 …; those of `busy` have children and gates. */
const RUNS = 50_000;
const BUSY = 5_000;

/** The id of the run of a number, as SQL. */
const id = (number: string): string =>
  `(lpad(to_hex(${number}), 8, '0') || '-0000-7000-8000-0000000000' || lpad(to_hex(${number} % 256), 2, '0'))::uuid`;
/** The same in JavaScript. */
const idOf = (number: number): string =>
  `${number.toString(16).padStart(8, '0')}-0000-7000-8000-0000000000${(number % 256).toString(16).padStart(2, '0')}`;

const FILL = [
  `INSERT INTO @.runs (run_id, shard_byte, namespace, workflow_id, definition_hash, status, created_at, updated_at, ended_at,
      open_executions, wake_at, last_seq, last_position, origin, gates, is_cancelled, forked_from, parent_run_id, root_run_id)
    SELECT ${id('i')}, i % 256, CASE WHEN i > ${RUNS} THEN 'busy' ELSE 'default' END,
      CASE WHEN i = 7 THEN 'rare' ELSE 'common' END, CASE WHEN i = 9 THEN 'old' ELSE 'new' END,
      CASE WHEN i % 50 = 0 AND i <= ${RUNS} THEN 'failed' WHEN i % 50 = 1 OR i > ${RUNS} THEN 'running' ELSE 'completed' END, i, i,
      CASE WHEN i % 50 = 1 OR i > ${RUNS} THEN NULL ELSE i END, CASE WHEN i % 100 = 1 THEN 1 ELSE 0 END,
      CASE WHEN i % 100 = 51 THEN i END, 1, i, CASE WHEN i = 11 THEN 'child' ELSE 'client' END,
      CASE WHEN i = 51 OR i > ${RUNS} THEN 1 ELSE 0 END, i = 50, CASE WHEN i = 17 THEN ${id('1')} END,
      CASE WHEN i > ${RUNS} THEN ${id('(i / 100)')} END, CASE WHEN i > ${RUNS} THEN ${id('1')} END
    FROM generate_series(1, ${RUNS + BUSY}) AS i`,
  `INSERT INTO @.run_labels (run_id, name, value, namespace, created_at)
    SELECT run_id, 'all', 'x', namespace, created_at FROM @.runs`,
  `INSERT INTO @.run_labels (run_id, name, value, namespace, created_at)
    SELECT run_id, 'few', 'x', namespace, created_at FROM @.runs WHERE created_at % 10000 = 0`,
  `INSERT INTO @.open_gates (run_id, gate_id, unit_id, opened_at, namespace, workflow_id, created_at)
    SELECT run_id, 1, 'sign', created_at, namespace, workflow_id, created_at FROM @.runs WHERE gates > 0`,
  `INSERT INTO @.decided_gates (run_id, gate_id, unit_id, opened_at, decided_at, decided_seq, namespace, workflow_id)
    SELECT run_id, 1, 'sign', created_at, created_at + 1, 2, namespace, workflow_id FROM @.runs WHERE created_at % 5 = 0`,
  `INSERT INTO @.definitions (namespace, hash, workflow_id, yaml, bindings, plan, registered_at)
    SELECT 'default', CASE WHEN i = 1 THEN 'new' ELSE 'hash ' || i END, 'common', '', '{}', NULL, i
    FROM generate_series(1, 1000) AS i`,
  ...['runs', 'run_labels', 'open_gates', 'decided_gates', 'definitions'].map(
    (table) => `VACUUM ANALYZE @.${table}`,
  ),
];

/** Tables in which a list may look at no row but those that it finds by an index. */
const LARGE = ['runs', 'run_labels', 'open_gates', 'decided_gates', 'definitions'];

let started: StartedDatabase;
let database: Noting;
let prepared = 0;

beforeAll(async () => {
  started = await startedDatabase();
  for (const sql of FILL) await started.sql(sql);
}, 120_000);
afterAll(() => started.dispose());
beforeEach(() => {
  database = new Noting(started.database);
});

function* stepsOf(step: Step): Generator<Step> {
  yield step;
  for (const below of step.Plans ?? []) yield* stepsOf(below);
}

async function explained(sql: string, values?: readonly SqlValue[]): Promise<Step> {
  const [row] = await started.sql(`EXPLAIN (FORMAT JSON) ${sql}`, values);
  const [{ Plan: plan }] = row!['QUERY PLAN'] as [{ readonly Plan: Step }];
  return plan;
}

/** How the server performs it with these values. */
const planOf = ({ sql, values }: Asked): Promise<Step> => explained(sql, values);

/** How it performs it once it plans for no values in particular, as it may for a statement that it was given often. */
async function genericPlanOf({ sql, values }: Asked): Promise<Step> {
  prepared += 1;
  await started.sql('SET plan_cache_mode = force_generic_plan');
  await started.sql(`PREPARE list_${prepared} AS ${sql}`);
  const plan = await explained(`EXECUTE list_${prepared} (${values.map(() => 'NULL').join(', ')})`);
  await started.sql('RESET plan_cache_mode');
  return plan;
}

const indexesIn = (plan: Step): readonly string[] =>
  [...stepsOf(plan)].flatMap((step) => step['Index Name'] ?? []);
const readsAll = (plan: Step): readonly string[] =>
  [...stepsOf(plan)]
    .filter((step) => step['Node Type'] === 'Seq Scan' && LARGE.includes(step['Relation Name'] ?? ''))
    .map((step) => step['Relation Name'] ?? '');
const sorts = (plan: Step): number =>
  [...stepsOf(plan)].filter((step) => step['Node Type'].endsWith('Sort')).length;
/** The part of a page's plan that reads the index that is followed. */
const walkIn = (plan: Step): Step | undefined =>
  [...stepsOf(plan)].find((step) => step['Subplan Name'] === 'CTE walked');

const label = (name: string) => [{ name, value: 'x' }];
const ask = (filter: Partial<RunFilter>, { before = null as RunCursor | null, limit = 10 } = {}) =>
  findRuns(database, { namespace: 'default', filter: { ...ANY_RUN, ...filter }, before, limit });
const instantsOf = ({ runs }: Awaited<ReturnType<typeof findRuns>>): readonly number[] =>
  runs.map(({ row }) => row.createdAt);
/** The statements that read pages, and not those that look how sparse an index is. */
const pages = (): readonly Asked[] =>
  database.asked.filter(({ sql }) => sql.includes('walked AS MATERIALIZED'));
const samples = (): readonly Asked[] => database.asked.filter(({ sql }) => /\bAS walked$/.test(sql));

describe('a list among many runs on PostgreSQL', () => {
  it.each<[string, Partial<RunFilter>, string]>([
    ['all', {}, 'runs_by_age'],
    ['a workflow', { workflowId: 'rare' }, 'runs_of_workflow'],
    ['workflows', { workflows: ['rare', 'common'] }, 'runs_of_workflow'],
    ['the beginning of workflows', { workflows: ['r*', 'x*'] }, 'runs_of_workflow'],
    ['workflows and a common label', { workflows: ['rare'], labels: label('all') }, 'runs_of_workflow'],
    ['a workflow that nearly all have', { workflowId: 'common' }, 'runs_of_workflow'],
    ['a workflow that there is not', { workflowId: 'nobody' }, 'runs_of_workflow'],
    ['a status that few have', { statuses: ['failed'] }, 'runs_not_completed'],
    ['several such', { statuses: ['failed', 'running'] }, 'runs_not_completed'],
    ['a status that nearly all have', { statuses: ['completed'] }, 'runs_by_age'],
    ['a label', { labels: label('few') }, 'runs_with_label'],
    ['open gates', { hasOpenGate: true }, 'runs_with_gates'],
    ['a unit’s gates', { gateUnit: 'sign' }, 'open_gates_of_unit'],
    ['cancelled', { isCancelled: true }, 'runs_cancelled'],
    ['not cancelled', { isCancelled: false }, 'runs_by_age'],
    ['a rare origin', { origin: 'child' }, 'runs_of_origin'],
    ['the usual origin', { origin: 'client' }, 'runs_by_age'],
    ['forks', { forkedFrom: idOf(1) }, 'runs_forked'],
    ['children', { parentRunId: idOf(501) }, 'runs_of_parent_by_age'],
    ['a definition', { definitionHash: 'new' }, 'runs_of_workflow'],
    ['the beginning of few ids', { idPrefix: '0000a1' }, 'runs_pkey'],
    ['the beginning of many ids', { idPrefix: '0000' }, 'runs_by_age'],
    [
      'everything at once',
      { labels: [...label('few'), ...label('all')], gateUnit: 'sign', origin: 'client', isCancelled: false },
      'open_gates_of_unit',
    ],
  ])('of %s follows one index, in its order, and reads the rest by keys', async (_what, filter, index) => {
    await ask(filter, { before: { createdAt: 40_000, runId: idOf(1) } });
    for (const asked of database.asked) expect(readsAll(await planOf(asked))).toEqual([]);
    expect(pages().length).toBeGreaterThan(0);
    for (const asked of pages()) {
      for (const plan of [await planOf(asked), await genericPlanOf(asked)]) {
        const walk = walkIn(plan)!;
        expect(indexesIn(walk)).toEqual([index]);
        expect(readsAll(plan)).toEqual([]);
        // No index has the order for few ids, nor for several workflows: their newest are sorted.
        expect(sorts(walk)).toBe(index === 'runs_pkey' || 'workflows' in filter ? 1 : 0);
      }
    }
  });

  it.each<[string, Partial<RunFilter>, string]>([
    ['a common label and a rare status', { labels: label('all'), isCancelled: true }, 'runs_cancelled'],
    ['a common and a rare label', { labels: [...label('all'), ...label('few')] }, 'runs_with_label'],
    ['a common workflow and a rare label', { workflowId: 'common', labels: label('few') }, 'runs_with_label'],
    ['a rare workflow and a common label', { workflowId: 'rare', labels: label('all') }, 'runs_of_workflow'],
  ])('of %s follows the sparser index', async (_what, filter, index) => {
    await ask(filter);
    const [page] = pages();
    expect(indexesIn(walkIn(await planOf(page!))!)).toEqual([index]);
    for (const asked of samples()) {
      const plan = await planOf(asked);
      expect([sorts(plan), readsAll(plan)]).toEqual([0, []]);
    }
  });

  it.each<[string, Partial<RunFilter>, readonly number[]]>([
    ['a run that is far down', { definitionHash: 'old' }, [9]],
    ['runs that two common filters have in common', { labels: label('all'), workflowId: 'rare' }, [7]],
    ['runs with an open gate and a label', { hasOpenGate: true, labels: label('all') }, [51]],
    [
      'those of several statuses',
      { statuses: ['failed', 'running'], createdBefore: 102 },
      [101, 100, 51, 50, 1],
    ],
    ['nothing', { origin: 'client', workflowId: 'rare', isCancelled: true }, []],
  ])('finds %s in pages that examine no more than 10,000 runs each', async (_what, filter, expected) => {
    const found: number[] = [];
    let count = 0;
    for (let before: RunCursor | null = null, isFirst = true; isFirst || before !== null; isFirst = false) {
      const page: Awaited<ReturnType<typeof findRuns>> = await ask(filter, { before });
      count += 1;
      if (before !== null && page.next !== null) {
        expect(before.createdAt - page.next.createdAt).toBeLessThanOrEqual(10_000);
      }
      found.push(...instantsOf(page));
      before = page.next;
    }
    expect(found).toEqual(expected);
    // Each gets on: by five hundred runs at least, however busy the machine.
    expect(count).toBeLessThanOrEqual(RUNS / 500 + 1);
  });

  it('of a few runs among all that are hidden needs one page', async () => {
    for (const workflows of [['rare', 'nobody*'], ['r*']]) {
      const page = await ask({ workflows });
      expect([instantsOf(page), page.next]).toEqual([[7], null]);
    }
  });

  it('takes a cursor that no run has, and ids that none can have', async () => {
    const after = async (runId: string) =>
      instantsOf(await ask({}, { before: { createdAt: 300, runId }, limit: 2 }));
    await expect(after(idOf(300))).resolves.toEqual([299, 298]);
    await expect(after('')).resolves.toEqual([299, 298]);
    await expect(after('zzz')).resolves.toEqual([300, 299]);
    for (const filter of [
      { idPrefix: 'xyz' },
      { forkedFrom: 'nobody' },
      { parentRunId: 'nobody' },
      { definitionHash: '\0' },
    ]) {
      await expect(ask(filter, { before: { createdAt: 1, runId: '' } })).resolves.toEqual({
        runs: [],
        next: null,
      });
    }
  });
});

describe('without looking at every run', () => {
  const page = { namespace: 'default', workflows: null, before: null, limit: 5 };
  const all = { namespace: 'default', workflowId: null, workflows: null };
  const asks: readonly (readonly [string, (from: Database) => Promise<unknown>, readonly unknown[]])[] = [
    [
      'unfinished ones are listed',
      ({ query }) => listUnfinished(query, { lanes: null, afterRunId: idOf(9), limit: 5 }),
      ['runs_pkey', 'runs_unfinished'],
    ],
    [
      'those of some shards that are due are listed',
      ({ query }) =>
        listDue(query, {
          lanes: { count: 64, lanes: [3] },
          before: RUNS,
          after: { wakeAt: 9, runId: '\uffff' },
          limit: 5,
        }),
      ['runs_due', 'runs_pkey'],
    ],
    [
      'those of a parent are listed',
      ({ query }) => listChildren(query, { parentRunId: idOf(510), afterRunId: idOf(9), limit: 5 }),
      ['runs_of_parent'],
    ],
    [
      'those below one that wait at a gate are listed',
      ({ query }) => listRunsBelowWithGates(query, { runId: idOf(510), afterRunId: null, limit: 5 }),
      ['runs_of_parent', 'runs_of_parent', 'runs_pkey'],
    ],
    [
      'those below a start are counted',
      ({ query }) => countDescendants(query, { rootRunId: idOf(2), atMost: 5 }),
      ['runs_of_root'],
    ],
    ['the start of one is known', ({ query }) => readRoot(query, { runId: idOf(9) }), ['runs_pkey']],
    [
      'one is shown',
      ({ query }) => readListed(query, { runId: idOf(9) }),
      ['open_gates_pkey', 'run_labels_pkey', 'runs_pkey'],
    ],
    ['its gates are listed', ({ query }) => listOpenGates(query, { runId: idOf(51) }), ['open_gates_pkey']],
    [
      'gates that wait are listed',
      ({ query }) => listGates(query, { ...page, status: 'open', workflowId: null }),
      ['open_gates_by_age', 'runs_pkey'],
    ],
    [
      'gates of a workflow that were decided are listed',
      ({ query }) => listGates(query, { ...page, status: 'decided', workflowId: 'common' }),
      ['decided_gates_of_workflow', 'runs_pkey'],
    ],
    ['gates are counted', ({ query }) => countOpenGates(query, all), [expect.stringMatching(/^open_gates_/)]],
    [
      'gates of a workflow are counted',
      ({ query }) => countOpenGates(query, { ...all, workflowId: 'rare' }),
      ['open_gates_of_workflow'],
    ],
    [
      'versions of a workflow are listed',
      ({ query }) => listDefinitions(query, { ...page, workflowId: 'common' }),
      ['definitions_of_workflow'],
    ],
  ];

  it.each(asks)('%s', async (_what, askFor, indexes) => {
    await askFor(database);
    const [asked] = database.asked;
    const plan = await planOf(asked!);
    expect(readsAll(plan)).toEqual([]);
    expect([...indexesIn(plan)].sort()).toEqual(indexes);
  });

  it.each<[string, (from: Database) => Promise<unknown>, string]>([
    [
      'gates that wait are listed',
      ({ query }) =>
        listGates(query, { ...page, status: 'open', workflowId: null, workflows: ['c*', 'rare'] }),
      'open_gates_of_workflow',
    ],
    [
      'gates that were decided are listed',
      ({ query }) =>
        listGates(query, { ...page, status: 'decided', workflowId: null, workflows: ['c*', 'rare'] }),
      'decided_gates_of_workflow',
    ],
    [
      'gates that wait are counted',
      ({ query }) => countOpenGates(query, { ...all, workflows: ['c*', 'rare'] }),
      'open_gates_of_workflow',
    ],
  ])('%s for whoever is shown some workflows', async (_what, askFor, index) => {
    await askFor(database);
    for (const asked of database.asked) {
      for (const plan of [await planOf(asked), await genericPlanOf(asked)]) {
        expect(readsAll(plan)).toEqual([]);
        const used = new Set(indexesIn(plan));
        used.delete('runs_pkey');
        expect([...used]).toEqual([index]);
      }
    }
  });

  it('sweeps find what they look for by the byte of its shard', async () => {
    const { query } = database;
    const shards = { count: 256, lanes: [1, 51] };
    const due = await listDue(query, { lanes: shards, before: 2_000, after: null, limit: 2 });
    expect(due.map(({ createdAt }) => createdAt)).toEqual([51]);
    const unfinished = await listUnfinished(query, { lanes: shards, afterRunId: null, limit: 2 });
    expect(unfinished.map(({ createdAt }) => createdAt)).toEqual([1, 6_401]);
  });
});
