import { everyLane, RecordedEvents, runIn, type RunDriverHarness } from './support/contract.js';

export default function ownsContract(harness: RunDriverHarness): void {
  it('is true of every run in the lanes that were acquired, also of an id that is no UUID', async () => {
    const { driver } = harness.current;
    await driver.start(new RecordedEvents());
    expect(everyLane(driver).every((lane) => driver.owns(runIn(lane, driver)))).toBe(true);
    expect(driver.owns('an-old-run')).toBe(true);
  });

  it('is true already while the lanes are being acquired', async () => {
    const { driver } = harness.current;
    const events = new RecordedEvents();
    const seen: boolean[] = [];
    events.acquired = (lanes) => seen.push(...lanes.map((lane) => driver.owns(runIn(lane, driver))));
    await driver.start(events);
    expect(seen).toEqual(everyLane(driver).map(() => true));
  });
}
