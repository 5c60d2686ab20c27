import { setTimeout as delay } from 'node:timers/promises';
import type { StoredEvent } from '../../src/engine/ports/store/append.js';
import type { LogEntry } from '../../src/engine/ports/store/commit-log.js';
import type { RunStore } from '../../src/engine/ports/store/run-store.js';
import {
  sampleAppend,
  sampleEvents,
  sampleRow,
  sampleRunId,
} from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import { Choices, printedSeed } from '../crash/support/choices.js';
import { counted } from './support/counts.js';
import { startedDatabase, type StartedDatabase } from './support/database.js';
import { connect } from './support/server.js';

const APPENDS = counted(15_000);
const REPLICAS = 4;
/** Writers of each replica: what they append at once becomes few transactions, which overlap with those of the others. */
const WRITERS = 8;
/** Runs whose shard is this are never stored: their transactions are rolled back. */
const DOOMED_SHARD = 0xff;
const SLOWEST_MS = 20;

/**
 * Holds transactions open for a while after they have their id, so that they are committed in another order than they began, and
 * rolls some back.
 */
const DISTURB = `
  CREATE FUNCTION @.disturb() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.run_id::text LIKE '%${DOOMED_SHARD.toString(16)}' THEN RAISE EXCEPTION 'doomed'; END IF;
    PERFORM pg_sleep(random() * ${SLOWEST_MS / 1_000});
    RETURN NEW;
  END $$;
  CREATE TRIGGER disturb AFTER INSERT ON @.runs FOR EACH ROW EXECUTE FUNCTION @.disturb();
  CREATE TRIGGER disturb_again AFTER UPDATE ON @.runs FOR EACH ROW EXECUTE FUNCTION @.disturb()`;

const choices = new Choices(printedSeed('followers'));
let started: StartedDatabase;
const stores: RunStore[] = [];

beforeEach(async () => {
  started = await startedDatabase();
  for (let replica = 0; replica < REPLICAS; replica += 1) {
    const { store } = started.replica();
    stores.push(store);
    await store.open();
  }
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  await started.dispose();
});

/** What was acknowledged, as `run:seq of its last event`, in the order of each run; and what was not. */
interface Written {
  readonly acknowledged: string[];
  readonly refused: string[];
}

/** Each writer has runs of its own, of a few appends. */
async function write(count: number): Promise<Written> {
  const written: Written = { acknowledged: [], refused: [] };
  let left = count;
  let runs = 0;
  const writer = async (store: RunStore): Promise<void> => {
    while (left > 0) {
      runs += 1;
      const isDoomed = choices.happens(0.1);
      const runId = sampleRunId(runs, isDoomed ? DOOMED_SHARD : choices.between(0, DOOMED_SHARD - 1));
      const appends = choices.between(1, 4);
      for (let done = 0; done < appends && left > 0; done += 1) {
        left -= 1;
        const request = sampleAppend(runId, {
          expectedSeq: 2 * done,
          row: sampleRow(runId),
          concernsFamily: true,
        });
        const result = await (async () => store.append(request))().catch(() => 'rolled back' as const);
        if (result === 'rolled back') {
          written.refused.push(`${runId}:${2 * done + 2}`);
          break;
        }
        if (result !== 'appended') throw new Error(`An append of ${runId} was answered with ${result}.`);
        written.acknowledged.push(`${runId}:${2 * done + 2}`);
      }
    }
  };
  await Promise.all(stores.flatMap((store) => Array.from({ length: WRITERS }, () => writer(store))));
  return written;
}

/** Follows the log page by page, and goes on from the last position, as followers do. */
class Follower<Entry extends { readonly position: number; readonly runId: string }> {
  readonly seen: Entry[] = [];
  private readonly following: Promise<void>;
  private isOver = false;

  constructor(
    private readonly read: (afterPosition: number) => Promise<readonly Entry[]>,
    private readonly everyMs: number,
  ) {
    this.following = this.follow();
  }

  /** Everything was written: resolves once it has come to the end. */
  async end(): Promise<readonly Entry[]> {
    this.isOver = true;
    await this.following;
    return this.seen;
  }

  private async follow(): Promise<void> {
    for (;;) {
      const isLast = this.isOver;
      const page = await this.read(this.seen.at(-1)?.position ?? 0);
      this.seen.push(...page);
      if (page.length > 0) continue;
      if (isLast) return;
      await delay(this.everyMs);
    }
  }
}

const lastSeqOf = (events: readonly StoredEvent[]): number => events.at(-1)?.seq ?? 0;
const inOrder = (positions: readonly number[]): boolean =>
  positions.every((position, index) => index === 0 || position > (positions[index - 1] ?? 0));

it(`followers beside slow and rolled-back transactions miss none of ${APPENDS} appends, and see none twice`, async () => {
  for (const statement of DISTURB.split(/;\s*(?=CREATE TRIGGER)/)) await started.sql(statement);
  // Others of the same server hold transactions open as well, some of which come to nothing.
  const over = new AbortController();
  const bystanders = Array.from({ length: 3 }, async () => {
    const connection = await connect(started.url);
    while (!over.signal.aborted) {
      await connection.query('BEGIN');
      await connection.query('SELECT pg_current_xact_id()');
      await delay(choices.between(0, 60));
      await connection.query(choices.happens(0.5) ? 'COMMIT' : 'ROLLBACK');
    }
    await connection.end();
  });
  const reader = (index: number): RunStore => stores[index % stores.length]!;
  const logs = [1, 7, 37].map(
    (limit, index) =>
      new Follower<LogEntry>((afterPosition) => reader(index).readAll({ afterPosition, limit }), index),
  );
  const changes = new Follower((afterPosition) => reader(1).readChanges({ afterPosition, limit: 20 }), 1);
  const families = new Follower((afterPosition) => reader(2).readFamilyLog({ afterPosition, limit: 20 }), 1);
  /** Where the end of the log was seen: it only goes forward, and nothing comes to be below it. */
  const ends: number[] = [];
  const watcher = (async () => {
    while (!over.signal.aborted) {
      ends.push(await reader(3).lastPosition());
      await delay(2);
    }
  })();

  const { acknowledged, refused } = await write(APPENDS);
  over.abort();
  await Promise.all([...bystanders, watcher]);

  const expected = acknowledged.toSorted();
  expect(refused.length).toBeGreaterThan(0);
  // Whoever was in a group with one of these was written all the same.
  const isDoomed = (entry: string): boolean =>
    entry.split(':')[0]?.endsWith(DOOMED_SHARD.toString(16)) ?? false;
  expect(refused.filter((entry) => !isDoomed(entry))).toEqual([]);
  for (const follower of logs) {
    const seen = await follower.end();
    const entries = seen.flatMap((entry) =>
      entry.kind === 'appended' ? [`${entry.runId}:${lastSeqOf(entry.events)}`] : [],
    );
    expect(entries.toSorted()).toEqual(expected);
    expect(inOrder(seen.map(({ position }) => position))).toBe(true);
    // Those of one run in their order.
    const lasts = new Map<string, number>();
    for (const entry of seen) {
      if (entry.kind !== 'appended') continue;
      expect(entry.events).toEqual(sampleEvents(lasts.get(entry.runId) ?? 0, 2));
      lasts.set(entry.runId, lastSeqOf(entry.events));
    }
  }
  const appendsOf = (ids: readonly string[]): ReadonlyMap<string, number> =>
    new Map([...Map.groupBy(ids, (id) => id)].map(([id, all]) => [id, all.length]));
  const expectedRuns = appendsOf(acknowledged.map((entry) => entry.split(':')[0] ?? ''));
  for (const follower of [changes, families]) {
    const seen: readonly { readonly position: number; readonly runId: string }[] = await follower.end();
    expect(appendsOf(seen.map(({ runId }) => runId))).toEqual(expectedRuns);
    expect(inOrder(seen.map(({ position }) => position))).toBe(true);
  }
  expect(ends.every((end, index) => index === 0 || end >= (ends[index - 1] ?? 0))).toBe(true);
  expect(await reader(0).lastPosition()).toBe(logs[0]?.seen.at(-1)?.position);
  // In the order of commits, not of transaction ids, some came late: the disturbance was one.
  process.stdout.write(`${acknowledged.length} appended, ${refused.length} rolled back\n`);
}, 300_000);

it('a transaction that somebody leaves open holds followers up, and neither appends nor reads of runs', async () => {
  const connection = await connect(started.url);
  const [one, other] = [stores[0]!, stores[1]!];
  await one.append(sampleAppend(sampleRunId(1)));
  await connection.query('BEGIN');
  await connection.query('SELECT pg_current_xact_id()');
  const during = sampleRunId(2);
  expect(await one.append(sampleAppend(during))).toBe('appended');
  // Whoever knows the run reads all of it; only the order of the log of all runs is not settled yet.
  expect((await other.load({ runId: during, atSeq: null }))?.events).toHaveLength(2);
  const seen = async () => (await other.readAll({ afterPosition: 0, limit: 9 })).map(({ runId }) => runId);
  expect(await seen()).toEqual([sampleRunId(1)]);
  await connection.query('ROLLBACK');
  await connection.end();
  expect(await seen()).toEqual([sampleRunId(1), during]);
});

it('an entry that a follower was given is there at a position that stays', async () => {
  const store = stores[0]!;
  for (let index = 1; index <= 20; index += 1) await store.append(sampleAppend(sampleRunId(index)));
  const before = await store.readAll({ afterPosition: 0, limit: 99 });
  const [, second] = before;
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) =>
      stores[index % REPLICAS]!.append(
        sampleAppend(sampleRunId(index + 1), { expectedSeq: 2, row: sampleRow(sampleRunId(index + 1)) }),
      ),
    ),
  );
  const after = await stores[3]!.readAll({ afterPosition: 0, limit: 99 });
  expect(after.slice(0, before.length)).toEqual(before);
  expect(await stores[2]!.readAll({ afterPosition: second!.position, limit: 2 })).toEqual(before.slice(2, 4));
});
