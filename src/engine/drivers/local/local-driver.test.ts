import { runRunDriverContract } from '../../testing/contract/run-driver.js';
import { RecordedEvents, settle } from '../../testing/contract/run-driver/support/contract.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { RecordingLogger } from '../../testing/recording-logger.js';
import { LocalDriver } from './local-driver.js';

function localDriver() {
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  return { driver: new LocalDriver({ clock, logger }), clock, logger };
}

runRunDriverContract('local', {
  hasSecond: false,
  create: async () => {
    const { driver, clock, logger } = localDriver();
    return {
      driver,
      clock,
      logger,
      second: null,
      dispose: async () => {},
    };
  },
});

describe('the driver of a process that is alone', () => {
  it('stops after 5 s although a role hangs, and says which', async () => {
    const { driver, clock, logger } = localDriver();
    await driver.start(new RecordedEvents());
    driver.role('follower', () => new Promise(() => {}));
    let isStopped = false;
    void driver.stop().then(() => {
      isStopped = true;
    });
    await clock.advance(4_999);
    expect(isStopped).toBe(false);
    await clock.advance(1);
    expect(isStopped).toBe(true);
    expect(logger.said.at(-1)).toMatchObject({ level: 'warn', fields: { roles: ['follower'] } });
  });

  it('waits briefly again for a role that failed after it had run for long', async () => {
    const { driver, clock } = localDriver();
    await driver.start(new RecordedEvents());
    const begunAt: number[] = [];
    const startedAt = clock.now();
    driver.role('follower', async () => {
      begunAt.push(clock.now() - startedAt);
      if (begunAt.length === 4)
        await new Promise<void>((resolve) => clock.schedule(clock.now() + 61_000, resolve));
      throw new Error('busy');
    });
    await clock.advance(70_000);
    expect(begunAt).toEqual([0, 1_000, 3_000, 7_000, 69_000]);
  });

  it('leaves no timer behind', async () => {
    const { driver, clock } = localDriver();
    await driver.start(new RecordedEvents());
    driver.role('follower', () => Promise.reject(new Error('busy')));
    await settle();
    await driver.stop();
    expect(clock.scheduled).toBe(0);
  });
});
