import { runRunDriverContract } from '../contract/run-driver.js';
import { RecordedEvents, runIn } from '../contract/run-driver/support/contract.js';
import { ManualClock } from '../manual-clock.js';
import { RecordingLogger } from '../recording-logger.js';
import { SharedOwnership } from './shared-ownership.js';

runRunDriverContract('shared by a test', {
  hasSecond: true,
  create: async () => {
    const clock = new ManualClock();
    const logger = new RecordingLogger();
    const ownership = new SharedOwnership({ shardCount: 8, clock, logger });
    return {
      driver: ownership.driver('first'),
      clock,
      logger,
      second: {
        driver: ownership.driver('second'),
        move: (shard) => ownership.move(shard, 'first', 'second'),
        killFirst: async () => ownership.kill('first'),
      },
      dispose: async () => {},
    };
  },
});

describe('ownership that a test distributes', () => {
  async function three() {
    const ownership = new SharedOwnership({ shardCount: 8 });
    const events = { a: new RecordedEvents(), b: new RecordedEvents(), c: new RecordedEvents() };
    for (const name of ['a', 'b', 'c'] as const) {
      events[name].finishRelease();
      await ownership.driver(name).start(events[name]);
    }
    return { ownership, events };
  }

  it('is spread over all who take part', async () => {
    const { ownership } = await three();
    await ownership.spread();
    expect(['a', 'b', 'c'].map((name) => ownership.shardsOf(name))).toEqual([
      [0, 3, 6],
      [1, 4, 7],
      [2, 5],
    ]);
  });

  it('passes from the dead to all who live', async () => {
    const { ownership } = await three();
    ownership.kill('a');
    expect(['a', 'b', 'c'].map((name) => ownership.shardsOf(name).length)).toEqual([0, 4, 4]);
  });

  it('can be lost, of which its owner is notified afterwards', async () => {
    const { ownership, events } = await three();
    ownership.lose(3, 'a', 'b');
    expect(events.a.notifications).toEqual(['acquired from the dead', 'lost 3']);
    expect(events.b.notifications).toEqual(['acquired from the dead']);
  });

  it('waits for the next driver when none is left', async () => {
    const ownership = new SharedOwnership({ shardCount: 4 });
    const first = ownership.driver('first');
    await first.start(new RecordedEvents());
    await first.stop();
    const later = ownership.driver('later');
    const events = new RecordedEvents();
    await later.start(events);
    expect(events.notifications).toEqual(['acquired cleanly']);
    expect(later.owns(runIn(3, later))).toBe(true);
  });
});
