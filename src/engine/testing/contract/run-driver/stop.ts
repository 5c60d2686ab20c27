import {
  everyShard,
  RecordedEvents,
  runIn,
  settle,
  untilAborted,
  type RunDriverHarness,
} from './support/contract.js';

export default function stopContract(harness: RunDriverHarness): void {
  it('gives everything up without requesting a release', async () => {
    const { driver } = harness.current;
    const events = new RecordedEvents();
    await driver.start(events);
    await driver.stop();
    await settle();
    expect(everyShard(driver).some((shard) => driver.owns(runIn(shard, driver)))).toBe(false);
    expect(events.notifications).toEqual(['acquired from the dead']);
  });

  it('waits until the roles have come to their end', async () => {
    const { driver } = harness.current;
    await driver.start(new RecordedEvents());
    const lastBatch = Promise.withResolvers<void>();
    driver.role('follower', async (signal) => {
      await untilAborted(signal);
      await lastBatch.promise;
    });
    await settle();
    let isStopped = false;
    const stopping = driver.stop().then(() => {
      isStopped = true;
    });
    await settle();
    expect(isStopped).toBe(false);
    lastBatch.resolve();
    await stopping;
  });

  it('twice is no error, and neither is one without a start', async () => {
    await harness.current.driver.stop();
    await expect(harness.current.driver.stop()).resolves.toBeUndefined();
  });

  if (!harness.hasSecond) return;

  it('leaves the shards to the drivers that remain, cleanly', async () => {
    const { driver } = harness.current;
    await driver.start(new RecordedEvents());
    const events = new RecordedEvents();
    await harness.second.driver.start(events);
    await driver.stop();
    await settle();
    expect(events.notifications).toEqual(['acquired cleanly']);
    expect(events.acquiredShards).toHaveLength(driver.shardCount);
  });
}
