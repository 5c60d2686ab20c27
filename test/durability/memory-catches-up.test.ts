import { setTimeout as pause } from 'node:timers/promises';
import type { Plan } from '../../src/engine/core/plan/plan.js';
import type { Load } from '../../src/engine/scheduling/load.js';
import { memoryFollower } from '../../src/engine/runtime/followers/memory-follower.js';
import { systemClock } from '../../src/engine/runtime/system-clock.js';
import { idOf, sampleEntry } from '../../src/engine/testing/contract/log-follower/support/contract.js';
import { RecordingLogger } from '../../src/engine/testing/recording-logger.js';
import { SqliteMemoryIndex } from '../../src/storage/sqlite/sqlite-memory-index.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';

/** The memory once never caught up with 300,000 short runs; fewer show the same, since it is linear. */
const RUNS = Number(process.env['FLOWGATE_FOLLOWED_RUNS'] ?? 10_000);
/** The entries that it must index in a second, on any machine that runs this next to other tests. */
const AT_LEAST_PER_SECOND = Number(process.env['FLOWGATE_FOLLOWED_PER_SECOND'] ?? 2_000);
const AT_ONCE = 1_000;

const IDLE: Load = { measure: () => () => 0 };
const PLAN = { units: new Map([['say', { remembered: true }]]) } as unknown as Plan;

/** The only append of a run with one unit. */
function runThatSaid(index: number, output: string) {
  const request = sampleEntry(idOf(index), { ends: true });
  const [event] = request.events;
  const said = {
    executionId: 2,
    unitId: 'say',
    attempt: 1,
    output,
    patch: null,
    usage: null,
    metadata: null,
  };
  return { ...request, events: [{ ...event!, ...said }] };
}

describe('the memory of a process that was busy for long', () => {
  it('finds the newest output soon after, however much the log contains', async () => {
    const folder = await temporaryFolder();
    const store = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
    const memory = new SqliteMemoryIndex({ folder: folder.path, workers: builtWorkers });
    await store.open();
    await memory.open();
    for (let first = 0; first < RUNS; first += AT_ONCE) {
      const appends = Array.from({ length: AT_ONCE }, (_, index) => {
        const run = first + index;
        return store.append(
          runThatSaid(run, run === RUNS - 1 ? 'a pelican, at last' : `heron number ${run}`),
        );
      });
      await Promise.all(appends);
    }
    const controller = new AbortController();
    const follower = memoryFollower({
      store,
      memory,
      clock: systemClock,
      logger: new RecordingLogger(),
      load: IDLE,
      pollMs: null,
      planOf: async () => PLAN,
    });
    expect(await follower.lag()).toBe(RUNS);
    const startedAt = Date.now();
    const following = follower.follow(controller.signal);
    while ((await follower.lag()) > 0) await pause(10);
    const seconds = (Date.now() - startedAt) / 1_000;
    const hits = await memory.search({ namespace: 'default', query: 'pelican', topK: 5 });
    controller.abort();
    await following;
    await store.close();
    await memory.close();
    await folder.remove();
    if (process.env['FLOWGATE_FOLLOWED_RUNS'] !== undefined)
      console.log(`${Math.round(RUNS / seconds)} entries a second`);
    expect(hits.map(({ metadata }) => metadata['runId'])).toEqual([idOf(RUNS - 1)]);
    expect(RUNS / seconds).toBeGreaterThan(AT_LEAST_PER_SECOND);
  }, 300_000);
});
