import { InProcessRunWatch } from '../../drivers/local/in-process-run-watch.js';
import { InMemoryRunStore } from '../../in-memory/in-memory-run-store.js';
import { StoreError } from '../../../errors/service-errors.js';
import { BackgroundWork } from '../../scheduling/background-work.js';
import { sampleEntry } from '../../testing/contract/log-follower/support/contract.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { RecordingLogger } from '../../testing/recording-logger.js';
import { LogTail } from './log-tail.js';

const OUTCOME = {
  executionId: 7,
  unitId: 'a',
  attempt: 1,
  output: 1,
  patch: null,
  usage: null,
  metadata: null,
};

/** A store that says how often its log was read, and may not be able to say where it ends. */
class CountingStore extends InMemoryRunStore {
  reads = 0;
  isIll = false;

  override async readAll(request: Parameters<InMemoryRunStore['readAll']>[0]) {
    this.reads += 1;
    return super.readAll(request);
  }

  override async lastPosition(): Promise<number> {
    if (this.isIll) throw new StoreError('ill');
    return super.lastPosition();
  }
}

/** A run with one event that is shown. */
function runOf(runId: string) {
  const entry = sampleEntry(runId);
  return { ...entry, events: entry.events.map((event) => ({ ...event, ...OUTCOME })) };
}

describe('the end of the log', () => {
  it('is read while there are readers, and no longer, also where one of them could not join', async () => {
    const clock = new ManualClock();
    const store = new CountingStore();
    const load = { measure: () => () => 0 };
    const background = new BackgroundWork(clock, load);
    const tail = new LogTail({ store, clock, logger: new RecordingLogger(), load, background, watch: null });
    const append = async (run: string): Promise<number> => {
      const before = store.reads;
      await store.append(runOf(run));
      tail.wake();
      await clock.advance(1_000);
      return store.reads - before;
    };
    await tail.join();
    expect(await append('a')).toBeGreaterThan(0);
    store.isIll = true;
    await expect(tail.join()).rejects.toThrow('ill');
    store.isIll = false;
    expect(await append('b')).toBeGreaterThan(0);
    tail.leave();
    expect(await append('c')).toBe(0);
    tail.close();
  });

  it('is read now and then where no watch tells of other processes, and those append', async () => {
    const clock = new ManualClock();
    const store = new CountingStore();
    const load = { measure: () => () => 0 };
    const background = new BackgroundWork(clock, load);
    const logger = new RecordingLogger();
    const tail = new LogTail({ store, clock, logger, load, background, watch: null, pollMs: 1_000 });
    await tail.join();
    await clock.advance(0);
    const before = store.reads;
    await store.append(runOf('of another process'));
    await clock.advance(2_000);
    expect(store.reads).toBeGreaterThan(before);
    expect(tail.end).toBe(await store.lastPosition());
    tail.leave();
    tail.close();
  });

  it('is read when the watch tells that another process appended, which is asked only while there are readers', async () => {
    const clock = new ManualClock();
    const store = new CountingStore();
    const watch = new InProcessRunWatch();
    const load = { measure: () => () => 0 };
    const background = new BackgroundWork(clock, load);
    const tail = new LogTail({ store, clock, logger: new RecordingLogger(), load, background, watch });
    expect(watch.waiting).toBe(0);
    await tail.join();
    await clock.advance(1_000);
    const { reads } = store;
    await store.append(runOf('a'));
    await clock.advance(60_000);
    expect([store.reads, tail.end]).toEqual([reads, 0]);
    watch.announce({ runId: 'a', seq: 1 });
    await clock.advance(1_000);
    expect(tail.end).toBe(await store.lastPosition());
    expect(watch.waiting).toBe(1);
    tail.leave();
    await clock.advance(0);
    expect(watch.waiting).toBe(0);
    tail.close();
  });
});
