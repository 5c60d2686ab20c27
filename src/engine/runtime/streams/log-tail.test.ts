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

describe('the end of the log', () => {
  it('is read while there are readers, and no longer, also where one of them could not join', async () => {
    const clock = new ManualClock();
    const store = new CountingStore();
    const load = { measure: () => () => 0 };
    const background = new BackgroundWork(clock, load);
    const tail = new LogTail({ store, clock, logger: new RecordingLogger(), load, background, pollMs: null });
    const append = async (run: string): Promise<number> => {
      const before = store.reads;
      const entry = sampleEntry(run);
      await store.append({ ...entry, events: entry.events.map((event) => ({ ...event, ...OUTCOME })) });
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
});
