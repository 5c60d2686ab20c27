import { inShard } from '../../../core/ids/shard.js';
import { runRunWatchContract } from '../../../testing/contract/run-watch.js';
import { forEver, isResolved, RUN } from '../../../testing/contract/run-watch/support/contract.js';
import { RecordedEvents, settle } from '../../../testing/contract/run-driver/support/contract.js';
import { ManualClock } from '../../../testing/manual-clock.js';
import { RecordingLogger } from '../../../testing/recording-logger.js';
import { DatabaseClock } from '../database-clock.js';
import { PostgresDriver } from '../postgres-driver.js';
import { PostgresRunWatch } from './postgres-run-watch.js';
import { LAST_SEQS } from '../statements.js';
import { FakeServer } from '../testing/fake-server.js';

function replicas() {
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const server = new FakeServer(clock);
  let position = 0;
  let positionsRead = 0;
  const replica = () => {
    const database = server.replica();
    const driver = new PostgresDriver({
      database,
      clock: new DatabaseClock(),
      logger,
      steady: clock,
      shardCount: 2,
    });
    const lastPosition = async () => {
      positionsRead += 1;
      if (database.isRefusing) throw new Error('The connection is refused');
      return position;
    };
    const watch = new PostgresRunWatch({ driver, database, lastPosition, clock, logger });
    return { driver, watch, database };
  };
  return {
    clock,
    logger,
    server,
    replica,
    positionsRead: () => positionsRead,
    moveTo: (next: number) => {
      position = next;
    },
  };
}

runRunWatchContract('postgres', async () => {
  const { watch } = replicas().replica();
  return { watch, dispose: async () => {} };
});

/** Two replicas with a shard each, and a run that the first owns. */
async function two() {
  const all = replicas();
  const [owner, other] = [all.replica(), all.replica()];
  const events = new RecordedEvents();
  events.finishRelease();
  await owner.driver.start(events);
  await other.driver.start(new RecordedEvents());
  await all.clock.advance(1_000);
  const runId = [0, 1].map((shard) => inShard(RUN, shard, 2)).find((run) => owner.driver.owns(run)) ?? RUN;
  expect([owner.driver.owns(runId), other.driver.owns(runId)]).toEqual([true, false]);
  return { ...all, owner, other, runId };
}

/** Waits as a cursor does: what wakes it without a new event, it looks and waits again. */
function untilSeq(
  seq: number,
  { watch }: { readonly watch: PostgresRunWatch },
  runId: string,
  seqOf: () => number,
) {
  const waiting = (async () => {
    while (seqOf() < seq) await watch.waitFor({ runId, afterSeq: seq - 1, signal: forEver() });
  })();
  return waiting;
}

describe('who waits for a run of another replica', () => {
  it('is notified by its owner', async () => {
    const { owner, other, runId, clock } = await two();
    let seq = 1;
    const waiting = untilSeq(2, other, runId, () => seq);
    await clock.advance(100);
    expect(owner.watch.watchedElsewhere).toBe(1);
    seq = 2;
    owner.watch.announce({ runId, seq });
    await clock.advance(20);
    expect(await isResolved(waiting)).toBe(true);
  });

  it('sees what was appended before the owner knew of it', async () => {
    const { other, runId } = await two();
    let seq = 1;
    const waiting = untilSeq(2, other, runId, () => seq);
    seq = 2;
    await settle();
    expect(await isResolved(waiting)).toBe(true);
  });

  it('is notified of what a third one appended, once the owner is nudged', async () => {
    const { other, owner, replica, runId, clock } = await two();
    const third = replica();
    await third.driver.start(new RecordedEvents());
    let seq = 1;
    const waiting = [untilSeq(2, other, runId, () => seq), untilSeq(2, owner, runId, () => seq)];
    await clock.advance(100);
    seq = 2;
    third.driver.nudge(runId);
    await clock.advance(20);
    expect(await Promise.all(waiting.map(isResolved))).toEqual([true, true]);
  });

  it('is woken within 1.5 s where nobody notifies', async () => {
    const { server, other, runId, clock } = await two();
    server.dropsNotifications = true;
    const waiting = other.watch.waitFor({ runId, afterSeq: 1, signal: forEver() });
    await clock.advance(700);
    server.lastSeqs.set(runId, 2);
    await clock.advance(1_000);
    expect(await isResolved(waiting)).toBe(true);
  });

  it('is woken when its own replica becomes the owner after the last one died in silence', async () => {
    const { server, owner, other, runId, clock } = await two();
    server.dropsNotifications = true;
    const waiting = other.watch.waitFor({ runId, afterSeq: 1, signal: forEver() });
    await clock.advance(1_000);
    // Its last append is durable, and nobody was told of it.
    server.lastSeqs.set(runId, 2);
    owner.database.crash();
    await clock.advance(600);
    expect(other.driver.owns(runId)).toBe(true);
    await clock.advance(1_500);
    expect(await isResolved(waiting)).toBe(true);
  });

  it('is woken so also where the first look after that fails', async () => {
    const { server, owner, other, runId, clock } = await two();
    server.dropsNotifications = true;
    const waiting = other.watch.waitFor({ runId, afterSeq: 1, signal: forEver() });
    await clock.advance(1_000);
    owner.database.crash();
    const { query } = other.database;
    other.database.query = () => Promise.reject(new Error('The connection is refused'));
    await clock.advance(1_100);
    expect(other.driver.owns(runId)).toBe(true);
    server.lastSeqs.set(runId, 2);
    other.database.query = query.bind(other.database);
    await clock.advance(1_500);
    expect(await isResolved(waiting)).toBe(true);
  });

  it('is woken within 6 s by an append to an own run of which the nudge was lost', async () => {
    const { server, owner, runId, clock } = await two();
    server.dropsNotifications = true;
    const waiting = owner.watch.waitFor({ runId, afterSeq: 1, signal: forEver() });
    server.lastSeqs.set(runId, 2);
    await clock.advance(6_000);
    expect(await isResolved(waiting)).toBe(true);
  });

  it('asks the owner however many came and went before', async () => {
    const { server, other, owner, runId, clock } = await two();
    const [prefix, shard] = [RUN.slice(0, 19), runId === RUN ? 1 : 0];
    for (let index = 0; index < 10_100; index += 1) {
      const gone = new AbortController();
      const id = inShard(
        `${prefix}${index.toString(16).padStart(4, '0')}-0000000000ff`.slice(0, 36),
        shard,
        2,
      );
      void other.watch.waitFor({ runId: id, afterSeq: 1, signal: gone.signal });
      gone.abort();
      if (index % 1_000 === 0) await clock.advance(1);
    }
    const wishes = () => server.notified.filter(([, text]) => text.startsWith(`watch ${runId}`)).length;
    void other.watch.waitFor({ runId, afterSeq: 1, signal: forEver() });
    await clock.advance(100);
    expect([wishes(), owner.driver.owns(runId)]).toEqual([1, true]);
  });

  it('asks again every 10 s, and no longer than it waits', async () => {
    const { server, owner, other, runId, clock } = await two();
    const wishes = () => server.notified.filter(([, text]) => text.startsWith(`watch ${runId}`)).length;
    const leaving = new AbortController();
    void (async () => {
      while (!leaving.signal.aborted) {
        await other.watch.waitFor({ runId, afterSeq: 1, signal: leaving.signal });
      }
    })();
    await clock.advance(31_000);
    expect(wishes()).toBe(4);
    leaving.abort();
    await clock.advance(60_000);
    expect(wishes()).toBe(4);
    owner.watch.announce({ runId, seq: 9 });
    expect(owner.watch.watchedElsewhere).toBe(0);
  });

  it('costs the store one look a second, and nothing once nobody waits', async () => {
    const { server, other, runId, clock } = await two();
    server.dropsNotifications = true;
    const looks = () => other.database.alone.filter((sql) => sql === LAST_SEQS).length;
    const leaving = new AbortController();
    const { signal } = leaving;
    for (let count = 0; count < 50; count += 1) void other.watch.waitFor({ runId, afterSeq: 1, signal });
    await clock.advance(5_000);
    expect(looks()).toBe(5);
    const before = looks();
    leaving.abort();
    await clock.advance(60_000);
    expect(looks()).toBe(before);
  });

  it('is notified at most every 20 ms, of all runs at once', async () => {
    const { server, owner, other, runId, clock } = await two();
    const runs = Array.from({ length: 200 }, (_, index) =>
      inShard(
        `01980000-0000-7000-8000-0000000${index.toString(16).padStart(3, '0')}00`,
        runId === RUN ? 1 : 0,
        2,
      ),
    ).filter((run) => owner.driver.owns(run));
    for (const run of runs) void other.watch.waitFor({ runId: run, afterSeq: 1_000, signal: forEver() });
    await clock.advance(100);
    const sent = () => server.notified.filter(([, text]) => text.startsWith('appended')).length;
    const before = sent();
    for (let seq = 2; seq < 22; seq += 1) {
      for (const run of runs) owner.watch.announce({ runId: run, seq });
      await clock.advance(1);
    }
    await clock.advance(100);
    // One at once, and two for the rest, of which each has more runs than a notification holds.
    expect(sent() - before).toBeLessThanOrEqual(5);
  });

  it('says once that the store cannot be looked at', async () => {
    const { server, logger, other, runId, clock } = await two();
    server.dropsNotifications = true;
    const before = logger.at('warn').length;
    void other.watch.waitFor({ runId, afterSeq: 1, signal: forEver() });
    await clock.advance(100);
    other.database.query = () => Promise.reject(new Error('The connection is refused'));
    await clock.advance(5_000);
    expect(logger.at('warn').length - before).toBe(1);
  });
});

describe('who waits for any run', () => {
  it('is woken within 250 ms of an append elsewhere, and the store is left alone while nobody waits', async () => {
    const { replica, clock, moveTo, positionsRead } = replicas();
    const { watch } = replica();
    await clock.advance(10_000);
    expect(positionsRead()).toBe(0);
    // The first look has nothing to compare with.
    const first = watch.waitFor({ runId: null, afterSeq: 0, signal: forEver() });
    await clock.advance(250);
    expect(await isResolved(first)).toBe(true);
    const next = watch.waitFor({ runId: null, afterSeq: 0, signal: forEver() });
    await clock.advance(10_000);
    expect(await isResolved(next)).toBe(false);
    moveTo(1_024);
    await clock.advance(250);
    expect(await isResolved(next)).toBe(true);
    const read = positionsRead();
    await clock.advance(10_000);
    expect(positionsRead() - read).toBeLessThanOrEqual(1);
  });

  it('waits on when the store cannot be looked at, which is said once', async () => {
    const { replica, clock, logger, moveTo } = replicas();
    const { watch, database } = replica();
    database.isRefusing = true;
    const waiting = watch.waitFor({ runId: null, afterSeq: 0, signal: forEver() });
    await clock.advance(5_000);
    expect([await isResolved(waiting), logger.at('warn').length]).toEqual([false, 1]);
    database.isRefusing = false;
    moveTo(1);
    await clock.advance(1_000);
    expect(await isResolved(waiting)).toBe(true);
  });
});

it('a watch that is closed leaves no timer behind', async () => {
  const { clock, replica } = replicas();
  const { watch } = replica();
  const waiting = [RUN, null].map((runId) => watch.waitFor({ runId, afterSeq: 0, signal: forEver() }));
  await watch.close();
  await Promise.all(waiting);
  expect(clock.scheduled).toBe(0);
});
