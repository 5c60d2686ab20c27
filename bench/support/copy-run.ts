import { DatabaseSync } from 'node:sqlite';

const BATCH = 20_000;
/** The part of an id after its last hyphen. */
const TAIL = 12;

/**
 * Copies all rows of one run, in whatever tables they are, so many times under other ids, and returns their ids, counted
 * from 1. Inside their events they keep the name of the original. The cursors of followers of the log are moved past them.
 * Nobody else may have the file open.
 */
export function copyRun(file: string, runId: string, count: number): (copy: number) => string {
  const prefix = runId.slice(0, -TAIL);
  const database = new DatabaseSync(file);
  try {
    // As fast as can be: a benchmark that dies here begins again.
    database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -200000');
    const inserts = tablesOfRuns(database).map(({ table, columns }) => {
      const values = columns.map((column) =>
        column === 'run_id' ? `? || printf('%0${TAIL}x', n.i)` : `t."${column}"`,
      );
      return database.prepare(
        `INSERT INTO "${table}" (${columns.map((column) => `"${column}"`).join(', ')})
         WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         SELECT ${values.join(', ')} FROM n CROSS JOIN "${table}" t WHERE t.run_id = ?`,
      );
    });
    for (let from = 1; from <= count; from += BATCH) {
      const to = Math.min(count, from + BATCH - 1);
      database.exec('BEGIN');
      for (const insert of inserts) insert.run(from, to, prefix, runId);
      database.exec('COMMIT');
    }
    database.exec(`UPDATE cursors SET position = (SELECT max(seq) FROM sqlite_sequence WHERE name = 'log')`);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
  return (copy) => prefix + copy.toString(16).padStart(TAIL, '0');
}

interface TableOfRuns {
  readonly table: string;
  /** Without a number that SQLite gives by itself. */
  readonly columns: readonly string[];
}

function tablesOfRuns(database: DatabaseSync): readonly TableOfRuns[] {
  const tables = database.prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'table'`).all();
  return tables.flatMap(({ name, sql }) => {
    const columns = database.prepare(`SELECT name, type, pk FROM pragma_table_info(?)`).all(String(name));
    if (!columns.some((column) => column['name'] === 'run_id')) return [];
    const isOwnNumber = (column: (typeof columns)[number]): boolean =>
      column['pk'] === 1 && column['type'] === 'INTEGER' && /INTEGER PRIMARY KEY/.test(String(sql));
    return [
      {
        table: String(name),
        columns: columns.filter((column) => !isOwnNumber(column)).map((column) => String(column['name'])),
      },
    ];
  });
}
