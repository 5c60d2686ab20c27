import { join } from 'node:path';
import { Connection } from '../../src/storage/sqlite/connection/connection.js';
import {
  listChildren,
  listDue,
  listUnfinished,
} from '../../src/storage/sqlite/operations/lists/list-runs.js';
import { countDescendants, readRoot } from '../../src/storage/sqlite/operations/append/root-runs.js';
import { readRow } from '../../src/storage/sqlite/operations/log/read-run.js';
import { prepareRunDatabase } from '../../src/storage/sqlite/schema/prepare-run-database.js';
import { temporaryFolder } from '../support/data-folder.js';

/** A connection that records its statements. */
class Noting extends Connection {
  readonly asked: string[] = [];

  override statement(sql: string): ReturnType<Connection['statement']> {
    if (!this.asked.includes(sql)) this.asked.push(sql);
    return super.statement(sql);
  }
}

/**
 * How SQLite finds what is asked for: a list costs what it shows, however many runs are stored, as long as it neither
 * looks at every row nor sorts what it found.
 */
describe('without looking at every run', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let connection: Noting;

  beforeEach(async () => {
    folder = await temporaryFolder();
    const file = join(folder.path, 'runs.db');
    prepareRunDatabase(file);
    connection = new Noting(file, 'read');
  });
  afterEach(() => {
    connection.close();
    return folder.remove();
  });

  const asks: readonly (readonly [string, (from: Connection) => unknown])[] = [
    ['unfinished ones are', (from) => listUnfinished(from, { lanes: null, afterRunId: 'r', limit: 5 })],
    ['those that are due are', (from) => listDue(from, { lanes: null, before: 9, after: null, limit: 5 })],
    ['those of a parent are', (from) => listChildren(from, { parentRunId: 'p', afterRunId: 'r', limit: 5 })],
    ['those below a start are counted', (from) => countDescendants(from, { rootRunId: 'r', atMost: 5 })],
    ['the start of one is known', (from) => readRoot(from, 'r')],
    ['one is read', (from) => readRow(from, 'r')],
  ];
  it.each(asks)('%s', (_what, ask) => {
    ask(connection);
    const [sql = ''] = connection.asked.filter((text) => text.includes('FROM runs'));
    const count = sql.split('?').length - 1;
    const steps = connection
      .statement(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...Array.from({ length: count }, () => 1))
      .map(({ detail }) => String(detail));
    expect(steps).toEqual(expect.arrayContaining([expect.stringMatching(/^SEARCH runs USING/)]));
    expect(steps.join('; ')).not.toMatch(/SCAN (?!\(subquery)|TEMP B-TREE/);
  });
});
