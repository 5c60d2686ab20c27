import { appendRuns, Following, type LogFollowerHarness } from './support/contract.js';

export default function failureContract(harness: LogFollowerHarness): void {
  it('is tried again after 1 s, 2 s and so on up to 60 s, whatever is appended meanwhile', async () => {
    const triedAt: number[] = [];
    await appendRuns(harness.store, 0, 1);
    const process = new Following(harness.store, {
      handle: () => {
        triedAt.push(process.clock.now());
        return Promise.reject(new Error('the index is broken'));
      },
    });
    process.begin();
    for (let count = 1; count <= 300; count += 1) {
      await appendRuns(harness.store, count, 1);
      process.follower.wake();
      const until = process.clock.now() + 1_000;
      await process.until(() => process.clock.now() >= until, 'a second is over', 1_000);
    }
    await process.end();
    const gapsSeconds = triedAt.slice(1).map((at, index) => (at - (triedAt[index] ?? 0)) / 1_000);
    const expected = [1, 2, 4, 8, 16, 32, 60, 60, 60];
    expect(gapsSeconds.length).toBeGreaterThanOrEqual(7);
    gapsSeconds.forEach((gap, index) => {
      expect(gap).toBeGreaterThanOrEqual(expected[index] ?? NaN);
      expect(gap).toBeLessThan(1.5 * (expected[index] ?? NaN) + 5);
    });
    expect(process.logger.at('warn')).toEqual([expect.stringContaining('cannot follow the log')]);
  });

  it('is logged once, and once more when it is over; then a new one is logged again', async () => {
    let isBroken = true;
    const process: Following = new Following(harness.store, {
      handle: async (entries) => {
        if (isBroken) throw new Error('the index is broken');
        process.batches.push(entries);
      },
    });
    process.begin();
    for (const round of [1, 2]) {
      isBroken = true;
      await appendRuns(harness.store, round, 1);
      process.follower.wake();
      await process.until(() => process.logger.said.length === 2 * round - 1, 'it is said');
      await process.clock.advance(30_000);
      isBroken = false;
      await process.until(() => process.handled.length === round, 'it is handled', 1_000);
      await process.until(() => process.logger.said.length === 2 * round, 'that it is over is said');
    }
    await process.end();
    expect(process.logger.said.map(({ fields }) => fields['error'] ?? 'over')).toEqual([
      'the index is broken',
      'over',
      'the index is broken',
      'over',
    ]);
  });

  it('leaves the cursor before the batch', async () => {
    await appendRuns(harness.store, 0, 1);
    const process = new Following(harness.store, { handle: () => Promise.reject(new Error('broken')) });
    process.begin();
    await process.until(() => process.logger.said.length === 1, 'it failed');
    await process.end();
    expect(await harness.store.readCursor({ name: 'sample' })).toBe(0);
    expect(await process.follower.lag()).toBe(1);
  });
}
