import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ANY_RUN, type RunFilter } from '../../src/engine/ports/store/run-filter.js';
import type { RunCursor } from '../../src/engine/ports/store/run-index.js';
import { Connection } from '../../src/storage/sqlite/connection/connection.js';
import { findRuns } from '../../src/storage/sqlite/operations/lists/find-runs.js';
import { listDefinitions } from '../../src/storage/sqlite/operations/lists/list-definitions.js';
import { countOpenGates, listGates } from '../../src/storage/sqlite/operations/lists/list-gates.js';
import { countStanding } from '../../src/storage/sqlite/operations/lists/count-standing.js';
import { readChanges } from '../../src/storage/sqlite/operations/lists/read-changes.js';
import { prepareRunDatabase } from '../../src/storage/sqlite/schema/prepare-run-database.js';
import { temporaryFolder } from '../support/data-folder.js';

/** A connection that records its statements. */
class Noting extends Connection {
  readonly asked = new Set<string>();

  override statement(sql: string): ReturnType<Connection['statement']> {
    this.asked.add(sql);
    return super.statement(sql);
  }

  /** How each of the queries is answered. */
  plans(): readonly string[] {
    return [...this.asked]
      .filter((sql) => /\b(?:FROM|from)\b/.test(sql) && !sql.startsWith('EXPLAIN'))
      .map((sql) => {
        const steps = super.statement(`EXPLAIN QUERY PLAN ${sql}`).all();
        return steps.map(({ detail }) => String(detail)).join('; ');
      });
  }
}

const RUNS = 50_000;

/** So many runs of one namespace, made at instants 1, 2, 3 … */
const FILL = `
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${RUNS})
  INSERT INTO runs (run_id, namespace, workflow_id, definition_hash, status, created_at, updated_at, ended_at,
    open_executions, last_seq, origin, gates, is_cancelled, forked_from)
  SELECT printf('%08x', i), 'default', CASE WHEN i = 7 THEN 'rare' ELSE 'common' END, CASE WHEN i = 9 THEN 'old' ELSE 'new' END,
    CASE WHEN i % 50 = 0 THEN 'failed' WHEN i % 50 = 1 THEN 'running' ELSE 'completed' END, i, i, NULL, 0, 1,
    CASE WHEN i = 11 THEN 'child' ELSE 'client' END, CASE WHEN i = 13 THEN 1 ELSE 0 END,
    CASE WHEN i = 50 THEN 1 ELSE 0 END, CASE WHEN i = 17 THEN '00000001' END FROM n;
  INSERT INTO run_labels SELECT run_id, 'all', 'x', namespace, created_at FROM runs;
  INSERT INTO run_labels SELECT run_id, 'few', 'x', namespace, created_at FROM runs WHERE created_at % 10000 = 0;
  INSERT INTO open_gates VALUES ('0000000d', 1, 'sign', 1, 'default', 'common', 13);
  INSERT INTO definitions VALUES ('default', 'new', 'common', '', '{}', NULL, 1);
`;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let connection: Noting;

beforeAll(async () => {
  folder = await temporaryFolder();
  const file = join(folder.path, 'runs.db');
  prepareRunDatabase(file);
  const database = new DatabaseSync(file);
  database.exec(FILL);
  database.close();
});
afterAll(() => folder.remove());
beforeEach(() => {
  connection = new Noting(join(folder.path, 'runs.db'), 'read');
});
afterEach(() => connection.close());

const label = (name: string) => [{ name, value: 'x' }];
const ask = (filter: Partial<RunFilter>, { before = null as RunCursor | null, limit = 10 } = {}) =>
  findRuns(connection, { namespace: 'default', filter: { ...ANY_RUN, ...filter }, before, limit });
const instantsOf = ({ runs }: ReturnType<typeof findRuns>): readonly number[] =>
  runs.map(({ row }) => row.createdAt);

describe('a list among many runs on SQLite', () => {
  it.each<[string, Partial<RunFilter>, string]>([
    ['all', {}, 'runs_by_age'],
    ['a workflow', { workflowId: 'rare' }, 'runs_of_workflow'],
    ['workflows', { workflows: ['rare', 'common'] }, 'runs_of_workflow'],
    ['the beginning of workflows', { workflows: ['r*', 'x*'] }, 'runs_of_workflow'],
    ['workflows and a common label', { workflows: ['rare'], labels: label('all') }, 'runs_of_workflow'],
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
    ['forks', { forkedFrom: '00000001' }, 'runs_forked'],
    ['children', { parentRunId: '00000001' }, 'runs_of_parent_by_age'],
    ['a definition', { definitionHash: 'new' }, 'runs_of_workflow'],
    ['the beginning of few ids', { idPrefix: '0000a1' }, 'PRIMARY KEY'],
    ['the beginning of many ids', { idPrefix: '0000' }, 'runs_by_age'],
  ])('of %s follows one index, in its order, and looks at no run twice', (_what, filter, index) => {
    ask(filter, { before: { createdAt: 40_000, runId: '' } });
    const plans = connection.plans();
    // The patterns of workflows are a list of a few themselves.
    expect(plans.join('\n')).not.toMatch(/SCAN (?!p VIRTUAL TABLE)\w/);
    const followed = plans.filter((plan) => /USE TEMP B-TREE/.test(plan));
    // No index has the order for few ids: they are sorted.
    expect(followed.length > 0).toBe(index === 'PRIMARY KEY');
    expect(plans.join('\n')).toMatch(new RegExp(`USING (?:COVERING INDEX |INDEX )?${index}`));
  });

  it.each<[string, Partial<RunFilter>, string]>([
    ['a common label and a rare status', { labels: label('all'), isCancelled: true }, 'runs_cancelled'],
    ['a common and a rare label', { labels: [...label('all'), ...label('few')] }, 'runs_with_label'],
    ['a common workflow and a rare label', { workflowId: 'common', labels: label('few') }, 'runs_with_label'],
    ['a rare workflow and a common label', { workflowId: 'rare', labels: label('all') }, 'runs_of_workflow'],
  ])('of %s follows the sparser index', (_what, filter, index) => {
    ask(filter);
    const reading = connection.plans().filter((plan) => plan.includes('SEARCH r USING'));
    expect(reading).toEqual([expect.stringContaining(index)]);
  });

  it.each<[string, Partial<RunFilter>, readonly number[]]>([
    ['a run that is far down', { definitionHash: 'old' }, [9]],
    ['runs that two common filters have in common', { labels: label('all'), workflowId: 'rare' }, [7]],
    ['runs with an open gate and a label', { hasOpenGate: true, labels: label('all') }, [13]],
    [
      'those of several statuses',
      { statuses: ['failed', 'running'], createdBefore: 102 },
      [101, 100, 51, 50, 1],
    ],
    ['nothing', { origin: 'client', workflowId: 'rare', isCancelled: true }, []],
  ])('finds %s in pages that examine no more than 10,000 runs each', (_what, filter, expected) => {
    const found: number[] = [];
    let pages = 0;
    for (let before: RunCursor | null = null, isFirst = true; isFirst || before !== null; isFirst = false) {
      const page = ask(filter, { before });
      pages += 1;
      if (before !== null && page.next !== null) {
        expect(before.createdAt - page.next.createdAt).toBeLessThanOrEqual(10_000);
      }
      found.push(...instantsOf(page));
      before = page.next;
    }
    expect(found).toEqual(expected);
    // Each gets on: by five hundred runs at least, however busy the machine.
    expect(pages).toBeLessThanOrEqual(RUNS / 500 + 1);
  });

  it('finds runs by gates, counts, changes and versions with indexes alone', () => {
    const gates = { namespace: 'default', workflowId: null, workflows: null, before: null, limit: 5 };
    listGates(connection, { ...gates, status: 'open' });
    listGates(connection, { ...gates, status: 'decided', workflowId: 'common' });
    countOpenGates(connection, { namespace: 'default', workflowId: 'common', workflows: null });
    countOpenGates(connection, { namespace: 'default', workflowId: null, workflows: null });
    for (const workflows of [['common', 'rare'], ['c*']]) {
      listGates(connection, { ...gates, status: 'open', workflows });
      listGates(connection, { ...gates, status: 'decided', workflows });
      countOpenGates(connection, { namespace: 'default', workflowId: null, workflows });
    }
    expect(countStanding(connection)).toEqual({ pending: 0, running: 1_000, paused: 0, openGates: 1 });
    readChanges(connection, { afterPosition: 3, limit: 5 });
    listDefinitions(connection, { namespace: 'default', workflowId: 'w', before: null, limit: 5 });
    const plans = connection.plans().join('\n');
    expect(plans).not.toContain('TEMP B-TREE');
    // All gates are counted for all namespaces together: there is nothing to look for.
    expect(plans.match(/SCAN (?!open_gates USING COVERING INDEX)\w+/g)).toBeNull();
  });
});
