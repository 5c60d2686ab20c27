import { RecordedEvents, runIn, settle, type RunDriverHarness } from './support/contract.js';

export default function laneForNewRunContract(harness: RunDriverHarness): void {
  it('is one of ours', async () => {
    const { driver } = harness.current;
    await driver.start(new RecordedEvents());
    for (let count = 0; count < 1_000; count += 1) {
      expect(driver.owns(runIn(driver.laneForNewRun(), driver))).toBe(true);
    }
  });

  it('goes round: no lane gets more than its share', async () => {
    const { driver } = harness.current;
    await driver.start(new RecordedEvents());
    const counts = new Map<number, number>();
    for (let count = 0; count < 10 * driver.laneCount; count += 1) {
      const lane = driver.laneForNewRun();
      counts.set(lane, (counts.get(lane) ?? 0) + 1);
    }
    expect(counts.size).toBe(driver.laneCount);
    expect(Math.max(...counts.values())).toBeLessThanOrEqual(20);
  });

  if (!harness.hasSecond) return;

  it('is a lane of somebody else where we own none, and ours alone as soon as we own one', async () => {
    const events = new RecordedEvents();
    events.finishRelease();
    await harness.current.driver.start(events);
    const { driver } = harness.second;
    await driver.start(new RecordedEvents());
    const foreign = driver.laneForNewRun();
    expect(harness.current.driver.owns(runIn(foreign, driver))).toBe(true);
    await harness.second.move(1);
    await settle();
    expect([driver.laneForNewRun(), driver.laneForNewRun()]).toEqual([1, 1]);
  });
}
