import { Channels } from '../../src/engine/drivers/postgres/notifications/channels.js';
import { DatabaseClock } from '../../src/engine/drivers/postgres/database-clock.js';
import { PostgresDriver } from '../../src/engine/drivers/postgres/postgres-driver.js';
import { MortalDriver } from '../../src/engine/drivers/postgres/testing/mortal-driver.js';
import { runRunDriverContract } from '../../src/engine/testing/contract/run-driver.js';
import {
  RecordedEvents,
  runIn,
  settle,
  settleBy,
} from '../../src/engine/testing/contract/run-driver/support/contract.js';
import { ManualClock } from '../../src/engine/testing/manual-clock.js';
import { RecordingLogger } from '../../src/engine/testing/recording-logger.js';
import { LazyDatabase } from '../../src/postgres/lazy-database.js';
import { until } from '../support/eventually.js';
import { openedDatabase, startedDatabase } from './support/database.js';
import { startProxy } from './support/proxy.js';
import { sharedServer } from './support/server.js';
import { untilQuiet, WatchedDatabase } from './support/watched-database.js';

/** Nobody listens there. */
const NOWHERE = 9;
/** Between two beats of a driver. */
const STEP_MS = 250;
/** Of two shards each of two replicas should have one, so that the first gives up the other. */
const SHARDS = 2;

/** A clock that stands still until a test moves it, and lets the server answer after each step. */
class PatientClock extends ManualClock {
  readonly databases: WatchedDatabase[] = [];

  override async advance(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      await super.advance(Math.min(STEP_MS, ms - passed));
      while (!this.databases.every(({ isAnswered }) => isAnswered)) await new Promise(setImmediate);
    }
    await untilQuiet(this.databases);
  }
}

/** Two replicas of one schema; the first comes by a way that can be cut. */
async function twoReplicas() {
  const started = await startedDatabase();
  const proxy = await startProxy(sharedServer().port);
  const clock = new PatientClock();
  const logger = new RecordingLogger();
  const opened: LazyDatabase[] = [];
  const replica = async (url: string) => {
    const lazy = new LazyDatabase(() => openedDatabase({ url, schema: started.schema }));
    await lazy.open();
    opened.push(lazy);
    const database = new WatchedDatabase(lazy);
    clock.databases.push(database);
    const driver = new PostgresDriver({
      database,
      clock: new DatabaseClock(),
      logger,
      steady: clock,
      shardCount: SHARDS,
    });
    return { driver, database };
  };
  const first = await replica(proxy.through(started.url));
  const second = await replica(started.url);
  const channels = new Channels(second.database.lockSpace);
  settleBy(() => untilQuiet(clock.databases));
  return {
    first,
    second,
    clock,
    logger,
    /** As if another replica had freed something: all that are there beat at once. */
    async poke() {
      await started.sql('SELECT pg_notify($1, $2)', [channels.all, 'freed somebody']);
      await settle();
    },
    /** Its connections are gone, and there are no others: to the server its process has died. */
    async cutFirst() {
      proxy.leadTo(NOWHERE);
      proxy.cut();
      const pids = first.database.sessionPids;
      const isThere = 'SELECT count(*) AS count FROM pg_stat_activity WHERE pid = ANY ($1)';
      await until(
        async () => (await started.sql(isThere, [pids]))[0]?.['count'] === 0,
        'the server has noticed',
      );
    },
    async dispose() {
      settleBy(null);
      for (const database of opened) await database.close().catch(() => undefined);
      await proxy.close();
      await started.dispose();
    },
  };
}

runRunDriverContract('postgres, alone', {
  hasSecond: false,
  create: async () => {
    const { first, clock, logger, dispose } = await twoReplicas();
    return { driver: first.driver, clock, logger, second: null, dispose };
  },
});

runRunDriverContract('postgres', {
  hasSecond: true,
  create: async () => {
    const { first, second, clock, logger, poke, cutFirst, dispose } = await twoReplicas();
    const mortal = new MortalDriver(first.driver);
    return {
      driver: mortal,
      clock,
      logger,
      second: {
        driver: second.driver,
        async move(shard) {
          await poke();
          while (!second.driver.owns(runIn(shard, second.driver))) await settle();
        },
        async killFirst() {
          mortal.die();
          await cutFirst();
          await poke();
        },
      },
      dispose,
    };
  },
});

describe('locks of the server', () => {
  it('are of one schema: replicas of another one own all of theirs', async () => {
    const [one, other] = [await twoReplicas(), await twoReplicas()];
    try {
      const events = [new RecordedEvents(), new RecordedEvents()];
      await one.first.driver.start(events[0]!);
      await other.first.driver.start(events[1]!);
      expect(events.map(({ acquiredShards }) => acquiredShards.length)).toEqual([SHARDS, SHARDS]);
      expect([one, other].map(({ first }) => first.driver.replicaCount)).toEqual([1, 1]);
    } finally {
      for (const { first, dispose } of [one, other]) {
        await first.driver.stop();
        await dispose();
      }
    }
  });
});
