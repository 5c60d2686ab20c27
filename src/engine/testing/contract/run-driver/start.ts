import { everyShard, RecordedEvents, runIn, type RunDriverHarness } from './support/contract.js';

export default function startContract(harness: RunDriverHarness): void {
  it('owns nothing before', () => {
    const { driver } = harness.current;
    expect(everyShard(driver).some((shard) => driver.owns(runIn(shard, driver)))).toBe(false);
  });

  it('reports what is owned before it resolves, and that it was not handed over', async () => {
    const { driver } = harness.current;
    const events = new RecordedEvents();
    await driver.start(events);
    expect(events.notifications).toEqual(['acquired from the dead']);
    expect([...events.acquiredShards].sort((a, b) => a - b)).toEqual(everyShard(driver));
  });

  it('is refused the second time', async () => {
    await harness.current.driver.start(new RecordedEvents());
    await expect(harness.current.driver.start(new RecordedEvents())).rejects.toThrow('another');
  });

  it('counts between 1 and 256 shards', () => {
    const { shardCount } = harness.current.driver;
    expect(Number.isInteger(shardCount) && shardCount >= 1 && shardCount <= 256).toBe(true);
  });

  if (!harness.hasSecond) return;

  it('takes nothing from a process that lives', async () => {
    await harness.current.driver.start(new RecordedEvents());
    const events = new RecordedEvents();
    await harness.second.driver.start(events);
    expect(events.acquiredShards).toEqual([]);
    const { driver } = harness.current;
    expect(everyShard(driver).every((shard) => driver.owns(runIn(shard, driver)))).toBe(true);
  });
}
