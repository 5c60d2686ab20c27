import { appendRuns, Following, type LogFollowerHarness } from './support/contract.js';

export default function lagContract(harness: LogFollowerHarness): void {
  it('is how many entries are not handled yet, also where another process follows', async () => {
    const here = new Following(harness.store);
    const elsewhere = new Following(harness.store);
    expect(await here.follower.lag()).toBe(0);
    await appendRuns(harness.store, 0, 7);
    expect(await here.follower.lag()).toBe(7);
    here.begin();
    await here.until(() => here.handled.length === 7, 'everything is handled');
    await here.end();
    expect([await here.follower.lag(), await elsewhere.follower.lag()]).toEqual([0, 0]);
    await appendRuns(harness.store, 7, 2);
    elsewhere.begin();
    await elsewhere.until(() => elsewhere.handled.length === 2, 'the news is handled');
    await elsewhere.end();
    expect(await here.follower.lag()).toBe(0);
  });
}
