import {
  endedRow,
  NOON,
  sampleAppend,
} from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import { dropPastWeeks } from '../../src/storage/postgres/schema/past-weeks.js';
import { makeWeeksAhead } from '../../src/storage/postgres/schema/weeks-ahead.js';
import { WEEK_MS, weekAt, type Week } from '../../src/storage/postgres/schema/weeks.js';
import { counted } from './support/counts.js';
import { startedDatabase, type StartedDatabase } from './support/database.js';
import { connect, type PlainConnection } from './support/server.js';

const DAY_MS = 86_400_000;
const LONG_MS = 60_000;

let started: StartedDatabase;
beforeEach(async () => {
  started = await startedDatabase();
  await started.store.open();
});
afterEach(() => started.dispose());

/** An id of the week. */
const idIn = ({ fromId }: Week, index: number): string =>
  `${fromId.slice(0, 24)}${index.toString(16).padStart(12, '0')}`;

async function partitions(): Promise<readonly string[]> {
  const rows = await started.sql(
    `SELECT c.relname AS name FROM pg_class AS c WHERE c.relnamespace = $1::regnamespace AND c.relispartition AND c.relkind = 'r'`,
    [started.schema],
  );
  return rows.map(({ name }) => String(name)).toSorted();
}

const insertLog = (runId: string, position: number): Promise<unknown> =>
  started.sql(
    `INSERT INTO @.log (run_id, last_seq, first_seq, position, at, events) VALUES ($1, 2, 1, $2, 1, '[]')`,
    [runId, position],
  );

/** Does the work while a transaction of somebody else has done the statement. */
async function beside<T>(statement: string, work: () => Promise<T>): Promise<T> {
  const other = await connect(started.url);
  try {
    await other.query('BEGIN');
    await other.query(statement.replaceAll('@.', `"${started.schema}".`));
    return await work();
  } finally {
    await other.end();
  }
}

describe('a week that is attached while its rows are in the default partition', () => {
  const ROWS = 3_000;
  const ROUNDS = counted(60);
  const READERS = 6;
  const week = weekAt(Date.now());

  /** Reads until it is told to end; plans each statement anew, as most are. Resolves with what differed. */
  async function watch(isOver: () => boolean): Promise<{ readonly wrong: number[]; readonly looks: number }> {
    const reader: PlainConnection = await connect(started.url);
    const wrong: number[] = [];
    let looks = 0;
    while (!isOver()) {
      const [row] = await reader.query(
        `SELECT count(*) AS count FROM "${started.schema}".log WHERE position > 0`,
      );
      looks += 1;
      if (row?.['count'] !== ROWS) wrong.push(Number(row?.['count']));
    }
    await reader.end();
    return { wrong, looks };
  }

  it('loses none of them for any reader, not for a moment', async () => {
    await started.sql(`DROP TABLE @.log_${week.name}`);
    await started.sql(
      `INSERT INTO @.log (run_id, last_seq, first_seq, position, at, events)
       SELECT (left($1, 24) || lpad(to_hex(i), 12, '0'))::uuid, 2, 1, i, 1, '[]' FROM generate_series(1, ${ROWS}) AS i`,
      [week.fromId],
    );
    let isOver = false;
    const readers = Array.from({ length: READERS }, () => watch(() => isOver));
    let made = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      if (await makeWeeksAhead(started.database, week.startMs, null)) made += 1;
      if (!(await partitions()).includes(`log_${week.name}`)) continue;
      // Back, so that they have to move again: readers wait for the table itself here.
      await started.sql(
        `DO $$ BEGIN
          LOCK TABLE @.log IN ACCESS EXCLUSIVE MODE;
          ALTER TABLE @.log DETACH PARTITION @.log_${week.name};
          INSERT INTO @.log SELECT * FROM @.log_${week.name};
          DROP TABLE @.log_${week.name};
        END $$`,
      );
    }
    isOver = true;
    const seen = await Promise.all(readers);
    expect(made).toBeGreaterThan(ROUNDS / 2);
    expect(seen.flatMap(({ wrong }) => wrong)).toEqual([]);
    expect(seen.every(({ looks }) => looks > ROUNDS)).toBe(true);
  }, 120_000);
});

describe('a week that a large default partition keeps out', () => {
  it('is let in before it begins, whether its partition can be made or not', async () => {
    const now = weekAt(Date.now()).startMs;
    const week = weekAt(now + 2 * WEEK_MS);
    await started.sql(`DROP TABLE @.log_${week.name}`);
    // Nor by somebody whom the test knows nothing of.
    await started.sql('ALTER TABLE @.log_other SET (autovacuum_enabled = off)');
    // Ids of a time that no week of this test is near to: of 20,000 random ones, one is of this week every 25th time.
    await started.sql(
      `INSERT INTO @.log (run_id, last_seq, first_seq, position, at, events)
       SELECT ('ffffffff-ffff-7fff-8fff-' || lpad(to_hex(i), 12, '0'))::uuid, 2, 1, i, 1, repeat('x', 200)
       FROM generate_series(1, 20000) AS i`,
    );
    const isHeldUp = `LOCK TABLE ONLY @.log IN ACCESS SHARE MODE`;
    const [early, late] = [idIn(week, 1), idIn(week, 2)];
    await beside(isHeldUp, async () => {
      expect(await makeWeeksAhead(started.database, now, null)).toBe(false);
      // Nobody makes ids of that week yet.
      await expect(insertLog(early, 1)).rejects.toMatchObject({ code: '23514' });
      expect(await makeWeeksAhead(started.database, week.startMs - DAY_MS, null)).toBe(false);
      await insertLog(late, 2);
    });
    expect(await makeWeeksAhead(started.database, week.startMs - DAY_MS, null)).toBe(true);
    const rows = await started.sql(`SELECT run_id FROM @.log_${week.name}`);
    expect(rows).toEqual([{ run_id: late }]);
  }, 60_000);
});

describe('an append that is refused because its week has no partition yet', () => {
  it('has it made at once, and is written, whoever looks after the partitions', async () => {
    const week = weekAt(Date.now());
    const runId = idIn(week, 1);
    await started.sql(`DROP TABLE @.log_${week.name}, @.states_${week.name}`);
    // As a large default partition keeps a week out, of which nobody then made the partition in time.
    for (const table of ['log', 'states'])
      await started.sql(
        `ALTER TABLE @.${table}_other ADD CONSTRAINT none_of_${week.name}
          CHECK (run_id < '${week.fromId}' OR run_id >= '${week.toId}')`,
      );
    await expect(insertLog(runId, 1)).rejects.toMatchObject({ code: '23514' });
    const storedState = { seq: 2, stateVersion: 1, state: {} };
    await expect(started.store.append(sampleAppend(runId, { storedState }))).resolves.toBe('appended');
    expect(await partitions()).toEqual(expect.arrayContaining([`log_${week.name}`, `states_${week.name}`]));
    expect(await started.sql(`SELECT run_id FROM @.log_${week.name}`)).toEqual([{ run_id: runId }]);
  });
});

describe('past weeks', () => {
  const week = weekAt(Date.now() - 8 * WEEK_MS);
  const sweepAt = (now: number) => ({ now, until: performance.now() + LONG_MS, signal: null });
  beforeEach(async () => {
    expect(await makeWeeksAhead(started.database, week.startMs, null)).toBe(true);
  });

  it('of which the states cannot be dropped keep the log, too', async () => {
    const mine = [`log_${week.name}`, `states_${week.name}`];
    await beside(`LOCK TABLE @.states_${week.name} IN ACCESS SHARE MODE`, async () => {
      expect(await dropPastWeeks(started.database, sweepAt(week.endMs + 2 * DAY_MS))).toBe(false);
      expect(await partitions()).toEqual(expect.arrayContaining(mine));
    });
    expect(await dropPastWeeks(started.database, sweepAt(week.endMs + 2 * DAY_MS))).toBe(true);
    const left = await partitions();
    for (const name of mine) expect(left).not.toContain(name);
    // The week after it is not over for long enough.
    expect(left).toContain(`log_${weekAt(week.endMs).name}`);
  }, 60_000);

  it('that a run holds are emptied of what is nobody’s: the log, and with it the states', async () => {
    const keptId = idIn(week, 1);
    await started.store.append(sampleAppend(keptId));
    // More than one in a hundred of the states are the run's that stays, and fewer of the log's rows.
    for (let seq = 1; seq <= 20; seq += 1)
      await started.sql(`INSERT INTO @.states VALUES ($1, $2, 1, '{}')`, [keptId, seq]);
    for (let index = 2; index < 202; index += 1) await insertLog(idIn(week, index), index);
    for (let index = 2; index < 12; index += 1)
      await started.sql(`INSERT INTO @.states VALUES ($1, 2, 1, '{}')`, [idIn(week, index)]);
    const rows = async (table: string): Promise<unknown> =>
      (
        await started.sql(`SELECT count(*) AS count FROM @.${table}_${week.name} WHERE run_id <> $1`, [
          keptId,
        ])
      )[0]?.['count'];
    expect(await dropPastWeeks(started.database, sweepAt(week.endMs + 2 * DAY_MS))).toBe(true);
    expect([await rows('log'), await rows('states')]).toEqual([200, 10]);
    expect(await dropPastWeeks(started.database, sweepAt(week.endMs + WEEK_MS + 2 * DAY_MS))).toBe(true);
    expect([await rows('log'), await rows('states')]).toEqual([0, 0]);
    expect(await started.store.readEvents({ runId: keptId, afterSeq: 0, limit: 9 })).toHaveLength(2);
  }, 60_000);
});

it.each([
  ['without one', null],
  ['with one of the same seq', { seq: 2, stateVersion: 1, state: { life: 'second' } }],
])(
  'a run that is purged and comes again %s has nothing of the states that were left',
  async (_how, storedState) => {
    const { store } = started;
    const runId = idIn(weekAt(Date.now()), 1);
    const first = { seq: 2, stateVersion: 1, state: { life: 'first' } };
    await store.append(sampleAppend(runId, { storedState: first, row: endedRow(runId, NOON) }));
    await store.purgeEnded({ endedBefore: NOON + 1, throughPosition: null, limit: 9 });
    // What is nobody's is deleted in no order that anybody could rest on.
    await started.sql('DELETE FROM @.log WHERE run_id = $1', [runId]);
    expect(await store.append(sampleAppend(runId, { storedState }))).toBe('appended');
    expect((await store.load({ runId, atSeq: null }))?.storedState).toEqual(storedState);
  },
);
