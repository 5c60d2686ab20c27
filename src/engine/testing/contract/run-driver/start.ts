import { everyLane, RecordedEvents, runIn, type RunDriverHarness } from './support/contract.js';

export default function startContract(harness: RunDriverHarness): void {
  it('owns nothing before', () => {
    const { driver } = harness.current;
    expect(everyLane(driver).some((lane) => driver.owns(runIn(lane, driver)))).toBe(false);
  });

  it('says what is ours before it resolves, and that nobody handed it over', async () => {
    const { driver } = harness.current;
    const events = new RecordedEvents();
    await driver.start(events);
    expect(events.told).toEqual(['acquired from the dead']);
    expect([...events.acquiredLanes].sort((a, b) => a - b)).toEqual(everyLane(driver));
  });

  it('is refused the second time', async () => {
    await harness.current.driver.start(new RecordedEvents());
    await expect(harness.current.driver.start(new RecordedEvents())).rejects.toThrow('another');
  });

  it('counts between 1 and 256 lanes', () => {
    const { laneCount } = harness.current.driver;
    expect(Number.isInteger(laneCount) && laneCount >= 1 && laneCount <= 256).toBe(true);
  });

  if (!harness.hasSecond) return;

  it('takes nothing from a process that lives', async () => {
    await harness.current.driver.start(new RecordedEvents());
    const events = new RecordedEvents();
    await harness.second.driver.start(events);
    expect(events.acquiredLanes).toEqual([]);
    const { driver } = harness.current;
    expect(everyLane(driver).every((lane) => driver.owns(runIn(lane, driver)))).toBe(true);
  });
}
