import type { Columns, Query } from '../database/database.js';
import { LastPosition } from './last-position.js';

/** A log whose rows are positions with runs, and the runs that are stored; it performs what `LastPosition` looks up. */
function logOf(rows: readonly (readonly [position: number, runId: string])[]) {
  const log = {
    rows: [...rows],
    stored: new Set(rows.map(([, runId]) => runId)),
    tombstone: null as number | null,
  };
  const looks: number[] = [];
  const query: Query = async (_sql, values = []) => {
    const [, above, below, most, runId] = values as [number, number, number, number, string | null];
    const part = log.rows
      .filter(([position]) => position > above && position < below)
      .toReversed()
      .slice(0, most);
    looks.push(part.length);
    const newest = part.find(([, id]) => log.stored.has(id));
    const columns: Columns = {
      position: newest?.[0] ?? null,
      run_id: newest?.[1] ?? null,
      rows: part.length,
      lowest: part.at(-1)?.[0] ?? null,
      highest: part[0]?.[0] ?? null,
      tombstone: log.tombstone,
      is_stored: runId !== null && log.stored.has(runId),
    };
    return [columns];
  };
  const last = new LastPosition({ query, base: 0 });
  return { log, looks, read: () => last.read() };
}

const many = (count: number, first = 1): (readonly [number, string])[] =>
  Array.from({ length: count }, (_, index) => [first + index, `run-${first + index}`] as const);

describe('the position of the newest entry', () => {
  it('is 0 in an empty log, and then that of what comes', async () => {
    const { log, read } = logOf([]);
    await expect(read()).resolves.toBe(0);
    log.rows.push([5, 'a']);
    log.stored.add('a');
    await expect(read()).resolves.toBe(5);
  });

  it('is found by one look at few rows', async () => {
    const { looks, read } = logOf(many(50_000));
    await expect(read()).resolves.toBe(50_000);
    expect(looks).toEqual([16]);
  });

  it('is that of a tombstone, where it is newer, and no longer once that is dropped', async () => {
    const { log, read } = logOf(many(3));
    log.tombstone = 9;
    await expect(read()).resolves.toBe(9);
    log.tombstone = null;
    await expect(read()).resolves.toBe(3);
  });

  it('is that of the newest run that is stored, however many were purged after it', async () => {
    const { log, looks, read } = logOf(many(50_000));
    log.stored = new Set(['run-7']);
    await expect(read()).resolves.toBe(7);
    expect(looks.reduce((sum, rows) => sum + rows, 0)).toBeLessThanOrEqual(50_016);
    looks.length = 0;
    await expect(read()).resolves.toBe(7);
    expect(looks).toEqual([0]);
  });

  it('goes down when that run is purged, too, and looks at nothing twice', async () => {
    const { log, looks, read } = logOf(many(50_000));
    log.stored = new Set(['run-3', 'run-40000']);
    await expect(read()).resolves.toBe(40_000);
    looks.length = 0;
    log.stored.delete('run-40000');
    await expect(read()).resolves.toBe(3);
    expect(looks).toEqual([0, 20_000, 19_999]);
    log.stored.delete('run-3');
    await expect(read()).resolves.toBe(0);
    looks.length = 0;
    await expect(read()).resolves.toBe(0);
    expect(looks).toEqual([0]);
  });

  it('goes up again with what is appended after that', async () => {
    const { log, read } = logOf(many(20));
    log.stored.clear();
    await expect(read()).resolves.toBe(0);
    log.rows.push([30, 'new']);
    log.stored.add('new');
    await expect(read()).resolves.toBe(30);
  });
});
