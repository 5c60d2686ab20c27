import { RecordedEvents, settle, untilAborted, type RunDriverHarness } from './support/contract.js';

export default function roleContract(harness: RunDriverHarness): void {
  it('is done from the start on', async () => {
    const { driver } = harness.current;
    let isWorking = false;
    driver.role('follower', (signal) => {
      isWorking = true;
      return untilAborted(signal);
    });
    await settle();
    expect(isWorking).toBe(false);
    await driver.start(new RecordedEvents());
    await settle();
    expect(isWorking).toBe(true);
  });

  it('is done at once when the driver has started', async () => {
    const { driver } = harness.current;
    await driver.start(new RecordedEvents());
    let isWorking = false;
    driver.role('follower', (signal) => {
      isWorking = true;
      return untilAborted(signal);
    });
    await settle();
    expect(isWorking).toBe(true);
  });

  it('that rejects is started again after 1 s, then 2 s, and so on up to 60 s, with one warning each time', async () => {
    const { driver, clock, logger } = harness.current;
    await driver.start(new RecordedEvents());
    const begunAt: number[] = [];
    const startedAt = clock.now();
    driver.role('follower', async () => {
      begunAt.push(clock.now() - startedAt);
      throw new Error('the disk is full');
    });
    await settle();
    await clock.advance(200_000);
    expect(begunAt).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183].map((seconds) => seconds * 1_000));
    expect(logger.at('warn')).toHaveLength(begunAt.length);
  });

  it('that throws before it has a promise is started again like one that rejects', async () => {
    const { driver, clock } = harness.current;
    await driver.start(new RecordedEvents());
    let begun = 0;
    driver.role('follower', (signal) => {
      begun += 1;
      if (begun === 1) throw new Error('at once');
      return untilAborted(signal);
    });
    await settle();
    await clock.advance(1_000);
    expect(begun).toBe(2);
  });

  it('that comes to its end by itself is not started again', async () => {
    const { driver, clock, logger } = harness.current;
    await driver.start(new RecordedEvents());
    let begun = 0;
    driver.role('once', async () => {
      begun += 1;
    });
    await settle();
    await clock.advance(100_000);
    expect([begun, logger.at('warn')]).toEqual([1, []]);
  });

  it('is not started again after the stop, and rejecting then is no failure', async () => {
    const { driver, clock, logger } = harness.current;
    await driver.start(new RecordedEvents());
    let begun = 0;
    driver.role('follower', async (signal) => {
      begun += 1;
      await untilAborted(signal);
      signal.throwIfAborted();
    });
    await settle();
    await driver.stop();
    await clock.advance(100_000);
    expect([begun, logger.at('warn')]).toEqual([1, []]);
  });

  it('is refused under a name that is taken', () => {
    harness.current.driver.role('follower', untilAborted);
    expect(() => harness.current.driver.role('follower', untilAborted)).toThrow('follower');
  });

  if (!harness.hasSecond) return;

  it('is held by one process, and by another once that one stops or dies', async () => {
    const working: string[] = [];
    const work = (name: string) => async (signal: AbortSignal) => {
      working.push(name);
      await untilAborted(signal);
      working.push(`${name} ends`);
    };
    const { driver } = harness.current;
    await driver.start(new RecordedEvents());
    await harness.second.driver.start(new RecordedEvents());
    driver.role('follower', work('first'));
    await settle();
    harness.second.driver.role('follower', work('second'));
    await settle();
    expect(working).toEqual(['first']);
    await driver.stop();
    await settle();
    expect(working).toEqual(['first', 'first ends', 'second']);
  });

  it('continues elsewhere when its process dies', async () => {
    const working: string[] = [];
    const { driver } = harness.current;
    await driver.start(new RecordedEvents());
    await harness.second.driver.start(new RecordedEvents());
    for (const [name, of] of [
      ['first', driver],
      ['second', harness.second.driver],
    ] as const) {
      of.role('follower', (signal) => {
        working.push(name);
        return untilAborted(signal);
      });
      await settle();
    }
    await harness.second.killFirst();
    await settle();
    expect(working).toEqual(['first', 'second']);
  });
}
