import { everyShard, RecordedEvents, runIn, type RunDriverHarness } from './support/contract.js';

export default function ownsContract(harness: RunDriverHarness): void {
  it('is true of every run in the shards that were acquired, also of an id that is no UUID', async () => {
    const { driver } = harness.current;
    await driver.start(new RecordedEvents());
    expect(everyShard(driver).every((shard) => driver.owns(runIn(shard, driver)))).toBe(true);
    expect(driver.owns('an-old-run')).toBe(true);
  });

  it('is true already while the shards are being acquired', async () => {
    const { driver } = harness.current;
    const events = new RecordedEvents();
    const seen: boolean[] = [];
    events.acquired = (shards) => seen.push(...shards.map((shard) => driver.owns(runIn(shard, driver))));
    await driver.start(events);
    expect(seen).toEqual(everyShard(driver).map(() => true));
  });
}
