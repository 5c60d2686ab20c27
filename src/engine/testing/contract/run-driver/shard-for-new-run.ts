import { RecordedEvents, runIn, settle, type RunDriverHarness } from './support/contract.js';

export default function shardForNewRunContract(harness: RunDriverHarness): void {
  it('is an owned one', async () => {
    const { driver } = harness.current;
    await driver.start(new RecordedEvents());
    for (let count = 0; count < 1_000; count += 1) {
      expect(driver.owns(runIn(driver.shardForNewRun(), driver))).toBe(true);
    }
  });

  it('goes round: no shard gets more than its share', async () => {
    const { driver } = harness.current;
    await driver.start(new RecordedEvents());
    const counts = new Map<number, number>();
    for (let count = 0; count < 10 * driver.shardCount; count += 1) {
      const shard = driver.shardForNewRun();
      counts.set(shard, (counts.get(shard) ?? 0) + 1);
    }
    expect(counts.size).toBe(driver.shardCount);
    expect(Math.max(...counts.values())).toBeLessThanOrEqual(20);
  });

  if (!harness.hasSecond) return;

  it('is a foreign shard where this process owns none, and an owned one as soon as it owns one', async () => {
    const events = new RecordedEvents();
    events.finishRelease();
    await harness.current.driver.start(events);
    const { driver } = harness.second;
    await driver.start(new RecordedEvents());
    const foreign = driver.shardForNewRun();
    expect(harness.current.driver.owns(runIn(foreign, driver))).toBe(true);
    await harness.second.move(1);
    await settle();
    expect([driver.shardForNewRun(), driver.shardForNewRun()]).toEqual([1, 1]);
  });
}
