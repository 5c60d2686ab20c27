import { RecordingLogger } from '../engine/testing/recording-logger.js';
import { ManualClock } from '../engine/testing/manual-clock.js';
import type { RoleWork } from '../engine/scheduling/role.js';
import type { PgDatabase } from '../storage/postgres/pg-database.js';
import { LazyDatabase } from './lazy-database.js';
import { Upkeep } from './upkeep.js';

/** A replica over a database that answers whatever is asked with the oldest release that may use it. */
function replica(release: string) {
  const asked: string[] = [];
  const database = { oldest: '0.1.0', isAway: false };
  const lazy = new LazyDatabase(
    async () =>
      ({
        query: async (sql: string) => {
          asked.push(sql);
          if (database.isAway) throw new Error('away');
          return [{ oldest_release: database.oldest }];
        },
      }) as unknown as PgDatabase,
  );
  const roles = new Map<string, RoleWork>();
  const happened: string[] = [];
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const upkeep = new Upkeep({
    database: lazy,
    driver: {
      role: (name: string, work: RoleWork) => void roles.set(name, work),
      leave: () => void happened.push('leaves'),
    } as never,
    clock,
    logger,
    oldest: { look: async () => undefined },
    release,
    outdated: () => happened.push('is outdated'),
  });
  const beats = async (count: number): Promise<void> => {
    for (let beat = 0; beat < count; beat += 1) {
      upkeep.beaten();
      await clock.advance(500);
    }
  };
  return { database, asked, roles, happened, clock, logger, beats };
}

describe('a replica whose release is left behind', () => {
  it('gives up its runs and says so, once', async () => {
    const { database, happened, logger, beats } = replica('0.1.0');
    await beats(20);
    expect(happened).toEqual([]);
    database.oldest = '0.2.0';
    await beats(40);
    expect(happened).toEqual(['leaves', 'is outdated']);
    expect(logger.at('error')).toHaveLength(1);
  });

  it('looks every five seconds, also after a look that failed', async () => {
    const { database, asked, happened, beats } = replica('0.1.0');
    database.isAway = true;
    await beats(20);
    expect([asked.length, happened]).toEqual([2, []]);
    database.isAway = false;
    database.oldest = '1.0.0';
    await beats(10);
    expect([asked.length, happened]).toEqual([3, ['leaves', 'is outdated']]);
  });

  it('is none as long as it is not older', async () => {
    const { database, happened, beats } = replica('0.2.0');
    database.oldest = '0.2.0';
    await beats(30);
    expect(happened).toEqual([]);
  });
});

it('what has not ended is counted for all every five seconds, for as long as the role is held', async () => {
  const { roles, asked, clock } = replica('0.1.0');
  expect([...roles.keys()]).toEqual(['standing', 'partitions']);
  const ending = new AbortController();
  const working = roles.get('standing')!(ending.signal);
  await clock.advance(12_000);
  expect(asked).toHaveLength(3);
  expect(new Set(asked).size).toBe(1);
  ending.abort();
  await working;
  await clock.advance(60_000);
  expect([asked.length, clock.scheduled]).toEqual([3, 0]);
});
