import { getEventListeners } from 'node:events';
import { runRunWatchContract } from '../../testing/contract/run-watch.js';
import { forEver, isResolved, OTHER_RUN, RUN } from '../../testing/contract/run-watch/support/contract.js';
import { InProcessRunWatch } from './in-process-run-watch.js';
import { cpuMs } from '../../../../test/support/cpu-time.js';

runRunWatchContract('in-process', async () => ({ watch: new InProcessRunWatch(), dispose: async () => {} }));

describe('the watch of one process', () => {
  it('is not woken by another run, nor by what the caller knows', async () => {
    const watch = new InProcessRunWatch();
    const waiting = watch.waitFor({ runId: RUN, afterSeq: 3, signal: forEver() });
    watch.announce({ runId: OTHER_RUN, seq: 4 });
    watch.announce({ runId: RUN, seq: 3 });
    expect(await isResolved(waiting)).toBe(false);
    watch.announce({ runId: RUN, seq: 5 });
    await waiting;
  });

  it('leaves nothing behind after 100,000 waits that were given up or served', async () => {
    const watch = new InProcessRunWatch();
    const controller = new AbortController();
    for (let count = 0; count < 50_000; count += 1) {
      const served = watch.waitFor({ runId: `run-${count}`, afterSeq: 0, signal: controller.signal });
      watch.announce({ runId: `run-${count}`, seq: 1 });
      await served;
    }
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    const givenUp = Array.from({ length: 50_000 }, (_, count) => {
      const own = new AbortController();
      const waiting = watch.waitFor({ runId: `run-${count % 100}`, afterSeq: 0, signal: own.signal });
      own.abort();
      return waiting;
    });
    await Promise.all(givenUp);
    expect(watch.waiting).toBe(0);
  });

  it('serves another engine of the process after one has closed it', async () => {
    const watch = new InProcessRunWatch();
    const first = watch.waitFor({ runId: RUN, afterSeq: 0, signal: forEver() });
    await watch.close();
    await first;
    const second = watch.waitFor({ runId: RUN, afterSeq: 0, signal: forEver() });
    expect(await isResolved(second)).toBe(false);
    watch.announce({ runId: RUN, seq: 1 });
    await second;
  });

  it('costs an append next to nothing while there are no waiters', () => {
    const watch = new InProcessRunWatch();
    const startedAt = cpuMs();
    for (let seq = 1; seq <= 1_000_000; seq += 1) watch.announce({ runId: RUN, seq });
    expect(cpuMs() - startedAt).toBeLessThan(1_000);
  });
});
