import { RecordedEvents, runIn, settle, type RunDriverHarness } from './support/contract.js';

export default function nudgeContract(harness: RunDriverHarness): void {
  it('of an owned run does nothing, also before the start and after the stop', async () => {
    const { driver } = harness.current;
    const events = new RecordedEvents();
    driver.nudge(runIn(0, driver));
    await driver.start(events);
    driver.nudge(runIn(0, driver));
    await settle();
    await driver.stop();
    driver.nudge(runIn(0, driver));
    await settle();
    expect(events.notifications).toEqual(['acquired from the dead']);
  });

  if (!harness.hasSecond) return;

  it('reaches only the owner, and never within the call', async () => {
    const owner = new RecordedEvents();
    const other = new RecordedEvents();
    await harness.current.driver.start(owner);
    await harness.second.driver.start(other);
    const runId = runIn(1, harness.second.driver);
    harness.second.driver.nudge(runId);
    expect(owner.notifications).not.toContain(`nudged ${runId}`);
    await settle();
    expect(owner.notifications).toContain(`nudged ${runId}`);
    expect(other.notifications).toEqual([]);
  });
}
