import { RecordedEvents, runIn, settle, type RunDriverHarness } from './support/contract.js';

export default function handOverContract(harness: RunDriverHarness): void {
  if (!harness.hasSecond) return;

  it('waits for the release; in between nobody owns the shard', async () => {
    const from = new RecordedEvents();
    const to = new RecordedEvents();
    const { driver } = harness.current;
    await driver.start(from);
    await harness.second.driver.start(to);
    const runId = runIn(1, driver);
    const moving = harness.second.move(1);
    await settle();
    expect(from.notifications).toContain('release 1');
    expect([driver.owns(runId), harness.second.driver.owns(runId)]).toEqual([false, false]);
    from.finishRelease();
    await moving;
    await settle();
    expect([driver.owns(runId), harness.second.driver.owns(runId)]).toEqual([false, true]);
    expect([to.notifications, to.acquiredShards]).toEqual([['acquired cleanly'], [1]]);
  });

  it('does not happen when a process dies: the others get its shards as they are, and it is notified of nothing', async () => {
    const dead = new RecordedEvents();
    const to = new RecordedEvents();
    const { driver } = harness.current;
    await driver.start(dead);
    await harness.second.driver.start(to);
    await harness.second.killFirst();
    await settle();
    harness.second.driver.nudge(runIn(1, driver));
    await settle();
    expect(dead.notifications).toEqual(['acquired from the dead']);
    expect([to.notifications, to.acquiredShards.length]).toEqual([
      ['acquired from the dead'],
      driver.shardCount,
    ]);
  });

  it('that is ended by a death counts as a death', async () => {
    const to = new RecordedEvents();
    await harness.current.driver.start(new RecordedEvents());
    await harness.second.driver.start(to);
    const moving = harness.second.move(1);
    await settle();
    await harness.second.killFirst();
    await moving;
    await settle();
    expect(new Set(to.notifications)).toEqual(new Set(['acquired from the dead']));
    expect(to.acquiredShards).toHaveLength(harness.second.driver.shardCount);
  });
}
