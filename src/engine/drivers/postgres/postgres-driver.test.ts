import type { OwnershipEvents } from '../../ports/run-driver.js';
import { runRunDriverContract } from '../../testing/contract/run-driver.js';
import {
  RecordedEvents,
  runIn,
  settle,
  untilAborted,
} from '../../testing/contract/run-driver/support/contract.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { RecordingLogger } from '../../testing/recording-logger.js';
import { DatabaseClock } from './database-clock.js';
import { PostgresDriver, type PostgresDriverOptions } from './postgres-driver.js';
import { FakeServer } from './testing/fake-server.js';
import { MortalDriver } from './testing/mortal-driver.js';

/** One database, and as many replicas of it as a test wants. */
function database() {
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const server = new FakeServer(clock);
  const replica = (options: Partial<PostgresDriverOptions> = {}) => {
    const connection = server.replica();
    const databaseClock = new DatabaseClock({ wallMs: () => clock.wallTime(), steadyMs: () => clock.now() });
    const driver = new PostgresDriver({
      database: connection,
      clock: databaseClock,
      logger,
      steady: clock,
      ...options,
    });
    return { driver, connection, databaseClock, events: new Engine() };
  };
  return { clock, logger, server, replica };
}

/** What an engine does with its shards: it releases them at once, or when a test lets it. */
class Engine implements OwnershipEvents {
  readonly owned = new Set<number>();
  readonly said: string[] = [];
  readonly looked: number[] = [];
  readonly nudges: string[] = [];
  readonly busy = new Set<number>();
  found = 0;
  private readonly draining = new Map<number, () => void>();

  get inOrder(): readonly number[] {
    return [...this.owned].sort((a, b) => a - b);
  }

  acquired(shards: readonly number[], { clean }: { readonly clean: boolean }): void {
    for (const shard of shards) this.owned.add(shard);
    this.said.push(`${shards.length} ${clean ? 'cleanly' : 'from the dead'}`);
  }

  async release(shard: number): Promise<void> {
    this.owned.delete(shard);
    if (this.busy.has(shard)) await new Promise<void>((resolve) => this.draining.set(shard, resolve));
  }

  lost(shards: readonly number[]): void {
    for (const shard of shards) this.owned.delete(shard);
    this.said.push(`${shards.length} lost`);
  }

  nudged(runId: string): void {
    this.nudges.push(runId);
  }

  isIdle(shard: number): boolean {
    return !this.busy.has(shard);
  }

  async look(shards: readonly number[]): Promise<number> {
    this.looked.push(shards.length);
    return this.found;
  }

  /** The units of the shard have ended. */
  drain(shard: number): void {
    this.draining.get(shard)?.();
  }
}

runRunDriverContract('postgres, alone', {
  hasSecond: false,
  create: async () => {
    const { clock, logger, replica } = database();
    return { driver: replica().driver, clock, logger, second: null, dispose: async () => {} };
  },
});

runRunDriverContract('postgres', {
  hasSecond: true,
  create: async () => {
    const { clock, logger, server, replica } = database();
    // Of two shards each of two replicas should have one, so that the first gives up the other.
    const first = replica({ shardCount: 2 });
    const second = replica({ shardCount: 2 });
    const mortal = new MortalDriver(first.driver);
    return {
      driver: mortal,
      clock,
      logger,
      second: {
        driver: second.driver,
        move: async (shard) => {
          server.poke();
          while (!second.driver.owns(runIn(shard, second.driver))) await settle();
        },
        killFirst: async () => {
          mortal.die();
          first.connection.crash();
          server.poke();
        },
      },
      dispose: async () => {},
    };
  },
});

const sizes = (replicas: readonly { readonly events: Engine }[]) =>
  replicas.map(({ events }) => events.owned.size);

describe('shards of many replicas', () => {
  async function three() {
    const { clock, server, replica, logger } = database();
    const replicas = [replica(), replica(), replica()] as const;
    for (const { driver, events } of replicas) await driver.start(events);
    await clock.advance(3_000);
    return { clock, server, replica, replicas, logger };
  }

  it('are spread evenly, and each is owned by one', async () => {
    const { replicas } = await three();
    const all = replicas.flatMap(({ events }) => [...events.owned]);
    expect(new Set(all).size).toBe(64);
    expect(all).toHaveLength(64);
    expect(Math.max(...sizes(replicas))).toBe(22);
    expect(replicas.map(({ driver }) => driver.replicaCount)).toEqual([3, 3, 3]);
  });

  it('are handed over cleanly, and stay where they are afterwards', async () => {
    const { clock, replicas } = await three();
    const [, second, third] = replicas;
    expect([...second.events.said, ...third.events.said].every((said) => said.endsWith('cleanly'))).toBe(
      true,
    );
    const before = replicas.map(({ events }) => [...events.owned]);
    await clock.advance(60_000);
    expect(replicas.map(({ events }) => [...events.owned])).toEqual(before);
  });

  it('of one that dies go to the others within a beat, as they are', async () => {
    const { clock, replicas } = await three();
    const [first, second, third] = replicas;
    first.connection.crash();
    await clock.advance(500);
    expect(sizes([second, third])).toEqual([32, 32]);
    expect(second.events.said.at(-1)).toMatch('from the dead');
  });

  it('go to whoever joins', async () => {
    const { clock, replica, replicas } = await three();
    const fourth = replica();
    await fourth.driver.start(fourth.events);
    await clock.advance(2_000);
    expect(sizes([...replicas, fourth])).toEqual([16, 16, 16, 16]);
  });

  it('are given up idle ones first; a busy one stays out of use until it is drained', async () => {
    const { clock, replica } = database();
    const first = replica({ shardCount: 4 });
    const second = replica({ shardCount: 4 });
    await first.driver.start(first.events);
    first.events.busy.add(1).add(2).add(3);
    await second.driver.start(second.events);
    await clock.advance(1_000);
    expect([first.events.inOrder, second.events.inOrder]).toEqual([[1, 2], [0]]);
    expect(first.driver.owns(runIn(3, first.driver))).toBe(false);
    first.events.drain(3);
    await settle();
    expect(second.events.inOrder).toEqual([0, 3]);
  });

  it('are left to others by one that leaves before it has joined, or has started', async () => {
    const { clock, replica } = database();
    const other = replica();
    await other.driver.start(other.events);
    const [early, late] = [replica(), replica()];
    early.driver.leave();
    await early.driver.start(early.events);
    late.connection.roundTripMs = 200;
    const starting = late.driver.start(late.events);
    // Its session is there, and its first beat is under way.
    await clock.advance(500);
    expect(late.connection.sessions[0]?.isPresent).toBe(true);
    late.driver.leave();
    await clock.advance(3_000);
    await starting;
    expect(sizes([other, early, late])).toEqual([64, 0, 0]);
    expect(other.driver.replicaCount).toBe(1);
  });

  it('are acquired cleanly by the first that starts after all have stopped', async () => {
    const { replicas, replica } = await three();
    for (const { driver } of replicas) await driver.stop();
    const later = replica();
    await later.driver.start(later.events);
    expect(later.events.said).toEqual(['64 cleanly']);
  });

  it('are given up while the engine drains, if it says so', async () => {
    const { clock, replica } = database();
    const first = replica({ shardCount: 4 });
    const second = replica({ shardCount: 4 });
    await first.driver.start(first.events);
    await second.driver.start(second.events);
    await clock.advance(1_000);
    const [busy = 0, idle = 0] = [...first.events.owned];
    first.events.busy.add(busy);
    first.driver.leave();
    await clock.advance(1_000);
    expect([sizes([first, second]), second.driver.replicaCount]).toEqual([[0, 3], 1]);
    expect(second.events.owned.has(idle)).toBe(true);
    await first.driver.stop();
    await settle();
    expect(second.events.owned.has(busy)).toBe(true);
    expect(second.events.said.every((said) => said.endsWith('cleanly'))).toBe(true);
  });

  it('of a newer build are not taken by an older one', async () => {
    const { clock, replica, server } = database();
    const newer = replica({ shardCount: 4, logRevision: 2 });
    const older = replica({ shardCount: 4, logRevision: 1 });
    await newer.driver.start(newer.events);
    await older.driver.start(older.events);
    await newer.driver.stop();
    await clock.advance(2_000);
    expect([...older.events.owned]).toEqual([]);
    expect([...server.shards.values()]).toEqual(
      Array.from({ length: 4 }, () => ({ isClean: true, revision: 2 })),
    );
    const again = replica({ shardCount: 4, logRevision: 2 });
    await again.driver.start(again.events);
    // The older one may take none of them, so they are not shared with it.
    expect(again.events.owned.size).toBe(4);
    expect([older, again].map(({ driver }) => driver.isBarred(runIn(1, driver)))).toEqual([true, false]);
    expect(again.driver.replicaCount).toBe(2);
  });

  it('are all owned while builds of two revisions are there, whoever restarts', async () => {
    const { clock, replica } = database();
    const newer = [replica({ logRevision: 2 }), replica({ logRevision: 2 })] as const;
    for (const { driver, events } of newer) await driver.start(events);
    await clock.advance(3_000);
    const older = replica({ logRevision: 1 });
    await older.driver.start(older.events);
    await clock.advance(10_000);
    expect(sizes([...newer, older])).toEqual([32, 32, 0]);
    await newer[0].driver.stop();
    await clock.advance(3_000);
    expect(sizes([newer[1], older])).toEqual([64, 0]);
  });

  it('are new to a run of an older build only where that may write', async () => {
    const { clock, replica } = database();
    const newer = replica({ shardCount: 4, logRevision: 2 });
    const older = [
      replica({ shardCount: 4, logRevision: 1 }),
      replica({ shardCount: 4, logRevision: 1 }),
    ] as const;
    for (const { driver, events } of older) await driver.start(events);
    await newer.driver.start(newer.events);
    await clock.advance(3_000);
    await older[0].driver.stop();
    const { driver } = older[1];
    const chosen = new Set(Array.from({ length: 20 }, () => driver.shardForNewRun()));
    expect([...chosen].some((shard) => driver.isBarred(runIn(shard, driver)))).toBe(false);
  });

  it('are had by a replica that is far from the database', async () => {
    const { clock, replica } = database();
    const near = replica();
    await near.driver.start(near.events);
    const far = replica();
    far.connection.roundTripMs = 60;
    const started = far.driver.start(far.events);
    await clock.advance(5_000);
    await started;
    expect(sizes([near, far])).toEqual([32, 32]);
    await near.driver.stop();
    await clock.advance(2_000);
    expect([far.events.owned.size, far.connection.opens]).toEqual([64, 1]);
  });

  it('are shared as before by those that come back one after another', async () => {
    const { clock, replicas } = await three();
    const said = replicas.map(({ events }) => events.said.length);
    for (const { connection } of replicas) {
      connection.isRefusing = true;
      connection.sessions[0]!.kill('The server restarts');
    }
    await settle();
    // The first is there long before the others.
    replicas[0].connection.isRefusing = false;
    await clock.advance(1_000);
    expect(replicas[0].events.owned.size).toBe(22);
    for (const { connection } of replicas) connection.isRefusing = false;
    await clock.advance(5_000);
    expect(sizes(replicas).reduce((sum, size) => sum + size)).toBe(64);
    // None was given up again.
    expect(
      replicas.map(({ events }, index) =>
        events.said.slice(said[index]).filter((one) => one.endsWith('cleanly')),
      ),
    ).toEqual([[], [], []]);
  });

  it('of those that never come back are taken a moment later', async () => {
    const { clock, replicas } = await three();
    const [first, ...others] = replicas;
    for (const { connection } of others) connection.crash();
    first.connection.sessions[0]!.kill('The administrator ended it');
    await clock.advance(2_500);
    expect(first.events.owned.size).toBe(64);
  });

  it('that cannot be noted are not taken, which is said once, and are as soon as they can', async () => {
    const { clock, replica, server, logger } = database();
    server.isFull = true;
    const { driver, events } = replica();
    await driver.start(events);
    await clock.advance(3_000);
    expect([events.owned.size, logger.at('warn').length, server.holderOf(1)]).toEqual([0, 1, undefined]);
    server.isFull = false;
    await clock.advance(500);
    expect(events.owned.size).toBe(64);
  });
});

describe('a replica that the database does not hear', () => {
  async function alone(options: Partial<PostgresDriverOptions> = {}) {
    const { clock, logger, server, replica } = database();
    const one = replica({ shardCount: 4, ...options });
    await one.driver.start(one.events);
    return { ...one, clock, logger, server, replica, runId: runIn(1, one.driver) };
  }

  it('owns nothing 2 s after the last answered beat was sent', async () => {
    const { driver, events, connection, clock, runId } = await alone();
    connection.setNetwork('cut');
    await clock.advance(1_999);
    expect([driver.owns(runId), events.said]).toEqual([true, ['4 from the dead']]);
    await clock.advance(1);
    expect([driver.owns(runId), events.said]).toEqual([false, ['4 from the dead', '4 lost']]);
    expect(driver.figures()).toMatchObject({ shardsOwned: 0, shardsLost: 4 });
  });

  it('has one beat under way, however long that takes', async () => {
    const { connection, clock } = await alone();
    const [session] = connection.sessions;
    connection.setNetwork('held');
    await clock.advance(1_900);
    expect(session!.beats).toBe(2);
  });

  it('loses its shards to others, and has its share again once it is heard', async () => {
    const { driver, events, connection, clock, replica, runId } = await alone();
    const other = replica({ shardCount: 4 });
    await other.driver.start(other.events);
    await clock.advance(1_000);
    expect(sizes([{ events }, other])).toEqual([2, 2]);
    connection.setNetwork('cut');
    await clock.advance(3_500);
    expect(sizes([{ events }, other])).toEqual([0, 4]);
    expect(driver.owns(runId)).toBe(false);
    connection.setNetwork('open');
    await clock.advance(5_000);
    expect(sizes([{ events }, other])).toEqual([2, 2]);
    expect(connection.opens).toBeGreaterThan(1);
  });

  it('knows that it owns nothing as soon as it goes on after it stood still, before any timer fires', async () => {
    const { driver, events, clock, runId } = await alone();
    clock.setWallBy(2_500);
    expect(driver.owns(runId)).toBe(false);
    expect(driver.figures().shardsOwned).toBe(0);
    await settle();
    expect(events.said.slice(0, 2)).toEqual(['4 from the dead', '4 lost']);
  });

  it('is not saved by an answer that lay there while it stood still', async () => {
    const { driver, events, connection, clock, runId } = await alone();
    connection.setNetwork('held');
    await clock.advance(500);
    clock.setWallBy(2_000);
    connection.setNetwork('open');
    await settle();
    expect(events.said[1]).toBe('4 lost');
    // By now another session has the shards.
    expect(driver.owns(runId)).toBe(true);
    expect(connection.opens).toBe(2);
  });

  it('has them again with another session, as after a crash, when the server ended the first', async () => {
    const { driver, events, connection, clock, logger, runId } = await alone();
    connection.sessions[0]!.kill('The administrator ended it');
    await settle();
    expect([events.said, driver.owns(runId)]).toEqual([
      ['4 from the dead', '4 lost', '4 from the dead'],
      true,
    ]);
    await clock.advance(1_000);
    expect(logger.at('warn').join()).toMatch('no session');
    expect(logger.at('info')).toHaveLength(1);
  });

  it('loses what somebody else unlocked', async () => {
    const { driver, events, connection, clock } = await alone();
    connection.sessions[0]!.locks.delete(1);
    await clock.advance(1_000);
    expect(events.said).toEqual(['4 from the dead', '1 lost', '1 from the dead']);
    expect(driver.figures().shardsLost).toBe(1);
  });

  it('ends a session that does not hold what it locked, as behind a pooler', async () => {
    const { connection, clock, logger } = await alone();
    connection.sessions[0]!.isPresent = false;
    await clock.advance(1_000);
    expect(JSON.stringify(logger.said)).toMatch('pooler');
    expect(connection.opens).toBe(2);
  });

  it('forgets a shard that it was giving up, and takes it again only when that is over', async () => {
    const { events, connection, clock, replica } = await alone();
    events.busy.add(3).add(2);
    const other = replica({ shardCount: 4 });
    await other.driver.start(other.events);
    events.isIdle = () => false;
    await clock.advance(500);
    expect(events.inOrder).toEqual([0, 1]);
    other.connection.crash();
    connection.sessions[0]!.kill('The administrator ended it');
    await settle();
    expect(events.said.slice(1)).toEqual(['4 lost', '2 from the dead']);
    events.drain(2);
    events.drain(3);
    // The other one might have come back, too.
    await clock.advance(2_000);
    expect(events.owned.size).toBe(4);
  });

  it('says so where something else holds the lock by which it is counted', async () => {
    const { clock, replica, server } = database();
    const { driver, events } = replica();
    server.isCountedElsewhere = true;
    const starting = driver.start(events).catch((error: unknown) => error);
    await clock.advance(61_000);
    expect(await starting).toMatchObject({
      message: expect.stringMatching(/holds the lock by which replicas are counted/),
    });
  });

  it('does not start without a session within 60 s, and says what is wrong', async () => {
    const { clock, replica } = database();
    const { driver, connection, events } = replica();
    connection.isRefusing = true;
    const starting = driver.start(events).catch((error: unknown) => error);
    await clock.advance(61_000);
    expect(await starting).toMatchObject({ message: expect.stringMatching(/60 s.*refused/) });
    expect(events.said).toEqual([]);
  });

  it('stops within seconds', async () => {
    const { driver, connection, clock } = await alone();
    connection.setNetwork('cut');
    let isStopped = false;
    void driver.stop().then(() => {
      isStopped = true;
    });
    await clock.advance(3_000);
    expect(isStopped).toBe(true);
  });

  it('leaves no timer behind', async () => {
    const { driver, clock } = await alone();
    driver.role('follower', () => Promise.reject(new Error('busy')));
    await clock.advance(700);
    await driver.stop();
    expect(clock.scheduled).toBe(0);
  });
});

describe('a role of many replicas', () => {
  it('ends with the session, and begins at whoever has its lock next', async () => {
    const { clock, replica } = database();
    const working: string[] = [];
    const replicas = [replica(), replica()] as const;
    for (const [index, { driver, events }] of replicas.entries()) {
      driver.role('follower', async (signal) => {
        working.push(`${index} begins`);
        await untilAborted(signal);
        working.push(`${index} ends`);
      });
      await driver.start(events);
    }
    replicas[0].connection.setNetwork('cut');
    await clock.advance(3_500);
    expect(working).toEqual(['0 begins', '0 ends', '1 begins']);
  });

  it('does not run twice in one process: what was lost is requested again once it has ended', async () => {
    const { clock, replica } = database();
    const { driver, connection, events } = replica();
    const ends: (() => void)[] = [];
    driver.role('follower', () => new Promise((resolve) => ends.push(resolve)));
    await driver.start(events);
    connection.sessions[0]!.kill('The administrator ended it');
    await clock.advance(5_000);
    expect(ends).toHaveLength(1);
    ends[0]!();
    await clock.advance(500);
    expect(ends).toHaveLength(2);
    ends[1]!();
  });

  it('goes on at another replica when the first leaves, and is not taken up there again', async () => {
    const { clock, replica } = database();
    const replicas = [replica(), replica()] as const;
    const working: string[] = [];
    for (const [index, { driver, events }] of replicas.entries()) {
      driver.role('follower', async (signal) => {
        working.push(`${index} begins`);
        await untilAborted(signal);
        working.push(`${index} ends`);
      });
      await driver.start(events);
    }
    replicas[0].driver.leave();
    replicas[0].driver.role('late', () => Promise.reject(new Error('It has left')));
    await clock.advance(1_000);
    expect(working).toEqual(['0 begins', '0 ends', '1 begins']);
    await replicas[1].driver.stop();
    await clock.advance(2_000);
    expect(working).toEqual(['0 begins', '0 ends', '1 begins', '1 ends']);
    await replicas[0].driver.stop();
  });

  it('goes on at another replica when the first stops', async () => {
    const { replica } = database();
    const replicas = [replica(), replica(), replica()] as const;
    const working: number[] = [];
    for (const [index, { driver, events }] of replicas.entries()) {
      driver.role('follower', (signal) => {
        working.push(index);
        return untilAborted(signal);
      });
      await driver.start(events);
    }
    await replicas[0].driver.stop();
    await settle();
    expect([working.length, working[0]]).toEqual([2, 0]);
  });
});

describe('nudges', () => {
  async function two() {
    const { clock, logger, server, replica } = database();
    const owner = replica({ shardCount: 2 });
    const other = replica({ shardCount: 2 });
    await owner.driver.start(owner.events);
    await other.driver.start(other.events);
    return { clock, logger, server, owner, other, runId: runIn(1, owner.driver) };
  }

  it('of one run are one at a time, and one more for those that came meanwhile', async () => {
    const { owner, other, runId } = await two();
    for (let count = 0; count < 100; count += 1) other.driver.nudge(runId);
    await settle();
    expect(owner.events.nudges).toEqual([runId]);
    other.connection.setNetwork('held');
    for (let round = 0; round < 10; round += 1) {
      other.driver.nudge(runId);
      await settle();
    }
    other.connection.setNetwork('open');
    await settle();
    expect(owner.events.nudges).toHaveLength(3);
    expect(other.connection.alone).toHaveLength(3);
  });

  it('of several runs go in one statement', async () => {
    const { owner, other } = await two();
    for (let byte = 16; byte < 48; byte += 1) {
      other.driver.nudge(`01980000-0000-7000-8000-0000000000${byte.toString(16)}`);
    }
    await settle();
    expect([owner.events.nudges.length, other.connection.alone.length]).toEqual([32, 1]);
  });

  it('that cannot be sent are counted, which is said once', async () => {
    const { logger, other, runId } = await two();
    other.connection.isRefusing = true;
    // What waits here looks for itself.
    other.driver.link.toShard(1, { type: 'watch', runId, replica: 'another' });
    await settle();
    for (let count = 0; count < 3; count += 1) {
      other.driver.nudge(runId);
      await settle();
    }
    expect([other.driver.figures().nudgesMissed, logger.at('warn').length]).toEqual([3, 1]);
  });

  it('of what is no run of this store go nowhere', async () => {
    const { other } = await two();
    for (const runId of ['an-old-run', "'; DROP TABLE runs", '\0', '']) other.driver.nudge(runId);
    await settle();
    expect(other.connection.alone).toEqual([]);
  });

  it('that were lost are made up for when a shard is acquired, and every 5 s', async () => {
    const { clock, owner } = await two();
    expect(owner.events.looked).toEqual([2]);
    owner.events.found = 3;
    await clock.advance(5_000);
    expect(owner.events.looked.at(-1)).toBe(1);
    expect(owner.driver.figures().nudgesMissed).toBe(3);
  });

  it('do no harm when anybody sends them', async () => {
    const { server, owner } = await two();
    const channel = `flowgate_${server.lockSpace >>> 0}_s1`;
    for (const text of ['nudge x', 'nudge', 'watch', 'appended', 'appended a:b', 'freed', 'DROP TABLE', '']) {
      server.notify(channel, text);
    }
    await settle();
    expect(owner.events.nudges).toEqual([]);
  });
});

it('the time is the database’s', async () => {
  const { clock, server, replica } = database();
  server.aheadMs = -60_000;
  const { driver, events, databaseClock } = replica();
  await driver.start(events);
  expect(databaseClock.now()).toBe(clock.now() - 60_000);
});

it('an engine that says nothing of the shards is not asked to look', async () => {
  const { clock, replica } = database();
  const { driver } = replica();
  await driver.start(new RecordedEvents());
  await clock.advance(20_000);
  expect(driver.figures()).toEqual({ replicas: 1, shardsOwned: 64, shardsLost: 0, nudgesMissed: 0 });
});
