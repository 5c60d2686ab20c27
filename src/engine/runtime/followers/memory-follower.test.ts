import { InMemoryMemoryIndex } from '../../in-memory/in-memory-memory-index.js';
import { InMemoryRunStore } from '../../in-memory/in-memory-run-store.js';
import type { JsonValue } from '../../core/json.js';
import type { Plan } from '../../core/plan/plan.js';
import type { MemoryIndex } from '../../ports/memory/memory-index.js';
import { idOf, sampleEntry } from '../../testing/contract/log-follower/support/contract.js';

import { ManualClock } from '../../testing/manual-clock.js';
import { RecordingLogger } from '../../testing/recording-logger.js';
import { memoryFollower } from './memory-follower.js';
import { Retention } from './retention.js';

const DAY_MS = 86_400_000;

/** A run that ended with one output of a unit. */
function outputOf(run: string, unitId: string, output: JsonValue, namespace = 'default') {
  const request = sampleEntry(run, { ends: true, namespace });
  const [event] = request.events;
  return {
    ...request,
    events: [
      {
        ...event!,
        executionId: 7,
        unitId,
        attempt: 1,
        output,
        patch: null,
        usage: null,
        metadata: null,
      },
    ],
  };
}

/** What one process knows of the plans: every unit but `secret` is remembered, and `forgotten` is in none. */
const PLAN = {
  units: {
    get: (unitId: string) => (unitId === 'forgotten' ? undefined : { remembered: unitId !== 'secret' }),
  },
} as unknown as Plan;

/** A process with a follower, over a log and a memory that outlive it. */
function processOver(store: InMemoryRunStore, memory: MemoryIndex) {
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const load = { measure: () => () => 0 };
  const follower = memoryFollower({
    store,
    memory,
    clock,
    logger,
    load,
    pollMs: null,
    planOf: async () => PLAN,
  });
  const retention = new Retention({
    store,
    clock,
    logger,
    retentionMs: DAY_MS,
    followers: [follower],
  });
  const controller = new AbortController();
  return {
    clock,
    logger,
    follower,
    follow: () => void follower.follow(controller.signal),
    purge: () => void retention.work(controller.signal),
    stop: () => controller.abort(),
    caughtUp: async () => {
      while ((await follower.lag()) > 0) await clock.advance(5);
      await clock.advance(5);
    },
  };
}

describe('the memory', () => {
  it('has what units said, with where it is from, but not of those that opted out or are unknown', async () => {
    const store = new InMemoryRunStore();
    const memory = new InMemoryMemoryIndex();
    await store.append(outputOf(idOf(1), 'anna', 'a pelican'));
    await store.append(outputOf(idOf(2), 'bert', { bird: 'pelican' }, 'tenant-7'));
    for (const unitId of ['secret', 'forgotten']) {
      await store.append(outputOf(idOf(3), unitId, 'a pelican'));
    }
    await store.append(outputOf(idOf(4), 'silent', null));
    const process = processOver(store, memory);
    process.follow();
    await process.caughtUp();
    process.stop();
    const hits = [
      ...(await memory.search({ namespace: 'default', query: 'pelican', topK: 10 })),
      ...(await memory.search({ namespace: 'tenant-7', query: 'pelican', topK: 10 })),
    ];
    const found = hits.map(({ id, content, metadata }) => ({ id, content, metadata }));
    expect(found.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
      {
        id: `${idOf(1)}:7`,
        content: 'a pelican',
        metadata: { workflowId: 'invoices', runId: idOf(1), unitId: 'anna', at: 1_700_000_000_000 },
      },
      {
        id: `${idOf(2)}:7`,
        content: '{"bird":"pelican"}',
        metadata: {
          workflowId: 'invoices',
          runId: idOf(2),
          unitId: 'bert',
          at: 1_700_000_000_000,
          namespace: 'tenant-7',
        },
      },
    ]);
  });

  it('keeps no more of one output than 16,384 characters, and no half of one', async () => {
    const store = new InMemoryRunStore();
    const memory = new InMemoryMemoryIndex();
    const beginning = `pelican ${'x'.repeat(16_375)}`;
    await store.append(outputOf(idOf(1), 'anna', `${beginning}${'x'.repeat(100_000)}`));
    await store.append(outputOf(idOf(2), 'bert', `${beginning}🚪`));
    const process = processOver(store, memory);
    process.follow();
    await process.caughtUp();
    process.stop();
    const hits = await memory.search({ namespace: 'default', query: 'pelican', topK: 2 });
    const contents = hits.map(({ content }) => content).toSorted((one, other) => one.length - other.length);
    expect(contents).toEqual([beginning, `${beginning}x`]);
  });

  it('never finds a purged run again, even when the process dies between the purge and the memory', async () => {
    const store = new InMemoryRunStore();
    const memory = new InMemoryMemoryIndex();
    await store.append(outputOf(idOf(1), 'anna', 'a pelican'));
    const first = processOver(store, memory);
    first.follow();
    await first.caughtUp();
    first.stop();
    await first.clock.advance(1);
    expect(await memory.search({ namespace: 'default', query: 'pelican', topK: 1 })).toHaveLength(1);
    // A process that purges and dies before its follower has read the tombstone.
    const dead = processOver(store, memory);
    dead.purge();
    await dead.clock.advance(1_000);
    dead.stop();
    expect(await memory.search({ namespace: 'default', query: 'pelican', topK: 1 })).toHaveLength(1);
    const next = processOver(store, memory);
    next.follow();
    await next.caughtUp();
    next.stop();
    expect(await memory.search({ namespace: 'default', query: 'pelican', topK: 1 })).toEqual([]);
  });

  it('holds no run longer than the log, whatever is purged while it is behind', async () => {
    const store = new InMemoryRunStore();
    const memory = new InMemoryMemoryIndex();
    for (let count = 0; count < 700; count += 1) {
      await store.append(outputOf(idOf(count), 'anna', `pelican ${count}`));
    }
    const process = processOver(store, memory);
    process.purge();
    process.follow();
    for (let hour = 0; hour < 3; hour += 1) await process.clock.advance(3_600_000);
    await process.caughtUp();
    process.stop();
    expect(await store.readAll({ afterPosition: 0, limit: 1 })).toEqual([]);
    expect(await memory.search({ namespace: 'default', query: 'pelican', topK: 100 })).toEqual([]);
  });

  it('warns once when its index is broken, over 300 runs', async () => {
    const store = new InMemoryRunStore();
    const memory = new InMemoryMemoryIndex();
    memory.put = () => Promise.reject(new Error('database disk image is malformed'));
    const process = processOver(store, memory);
    process.follow();
    for (let count = 0; count < 300; count += 1) {
      await store.append(outputOf(idOf(count), 'anna', 'a pelican'));
      process.follower.wake();
      await process.clock.advance(50);
    }
    process.stop();
    expect(process.logger.said).toHaveLength(1);
    expect(process.logger.said[0]).toMatchObject({
      level: 'warn',
      fields: { follower: 'memory', error: 'database disk image is malformed' },
    });
  });

  it('continues after an event that only a newer version can read, and logs it; the purge does not wait', async () => {
    const store = new InMemoryRunStore();
    const memory = new InMemoryMemoryIndex();
    await store.append(outputOf(idOf(1), 'anna', 'a pelican'));
    const process = processOver(store, memory);
    process.follow();
    await process.caughtUp();
    const { events, ...newer } = outputOf(idOf(2), 'anna', 'a pelican');
    await store.append({ ...newer, events: events.map((event) => ({ ...event, v: 99 })) });
    await store.append(outputOf(idOf(3), 'anna', 'a heron'));
    process.follower.wake();
    await process.caughtUp();
    expect(await memory.search({ namespace: 'default', query: 'heron', topK: 9 })).toHaveLength(1);
    process.purge();
    for (let hour = 0; hour < 3; hour += 1) await process.clock.advance(3_600_000);
    process.stop();
    const left = await store.readAll({ afterPosition: 0, limit: 10 });
    expect(left.filter(({ kind }) => kind === 'appended')).toEqual([]);
    expect(process.logger.said.map(({ fields }) => fields['error'])).toEqual([
      expect.stringContaining('start the newer version'),
    ]);
  });
});
