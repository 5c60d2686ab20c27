import { InMemoryRunStore } from '../../in-memory/in-memory-run-store.js';
import { runLogFollowerContract } from '../../testing/contract/log-follower.js';
import { appendRuns, Following } from '../../testing/contract/log-follower/support/contract.js';

runLogFollowerContract('in-memory', async () => {
  const store = new InMemoryRunStore();
  await store.open();
  return { store, dispose: () => store.close() };
});

describe('a follower of the log', () => {
  it('knows its own cursor while it follows, and does not read it from the store each time', async () => {
    const store = new InMemoryRunStore();
    await appendRuns(store, 0, 25);
    const process = new Following(store);
    process.begin();
    await process.until(async () => (await process.follower.lag()) === 0, 'everything is handled');
    let reads = 0;
    const readCursor = store.readCursor.bind(store);
    store.readCursor = (request) => {
      reads += 1;
      return readCursor(request);
    };
    await appendRuns(store, 25, 1);
    expect(await process.follower.lag()).toBe(1);
    await process.until(() => process.handled.length === 26, 'the news is handled');
    expect(reads).toBe(0);
    await process.end();
    expect(await process.follower.lag()).toBe(0);
    expect(reads).toBe(1);
  });

  it('logs what failed, and then after how many times it follows again', async () => {
    const store = new InMemoryRunStore();
    await appendRuns(store, 0, 1);
    let left = 3;
    const process: Following = new Following(store, {
      handle: async (entries) => {
        if (left-- > 0) throw new Error('the index is broken');
        process.batches.push(entries);
      },
    });
    process.begin();
    await process.until(() => process.logger.said.length === 2, 'it follows again', 500);
    await process.end();
    expect(process.handled).toHaveLength(1);
    expect(process.logger.said).toEqual([
      {
        level: 'warn',
        message: expect.stringContaining('cannot follow the log'),
        fields: { follower: 'sample', error: 'the index is broken' },
      },
      {
        level: 'warn',
        message: 'The sample follows the log again',
        fields: { follower: 'sample', failures: 3 },
      },
    ]);
  });
});
