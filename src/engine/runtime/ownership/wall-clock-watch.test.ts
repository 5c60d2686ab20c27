import { ManualClock } from '../../testing/manual-clock.js';
import { RecordingLogger } from '../../testing/recording-logger.js';
import { WallClockWatch } from './wall-clock-watch.js';

const HOUR_MS = 3_600_000;

describe('a wall clock that is set back', () => {
  function watched() {
    const clock = new ManualClock();
    const logger = new RecordingLogger();
    const watch = new WallClockWatch(clock, logger);
    watch.start();
    const said = () => logger.said.map(({ level, fields }) => [level, fields['aheadMs']]);
    return { clock, watch, said };
  }

  it('is logged within a minute, once, and once more when it is set back further', async () => {
    const { clock, said } = watched();
    clock.setWallBy(-HOUR_MS);
    await clock.advance(60_000);
    await clock.advance(600_000);
    expect(said()).toEqual([['warn', HOUR_MS]]);
    clock.setWallBy(-HOUR_MS);
    await clock.advance(60_000);
    expect(said()).toEqual([
      ['warn', HOUR_MS],
      ['warn', 2 * HOUR_MS],
    ]);
  });

  it('is logged again after it had caught up', async () => {
    const { clock, said } = watched();
    for (const step of [-HOUR_MS, HOUR_MS, -HOUR_MS]) {
      clock.setWallBy(step);
      await clock.advance(60_000);
    }
    expect(said()).toHaveLength(2);
  });

  it('by seconds, or set forward, is not logged; and nothing is logged after the end', async () => {
    const { clock, watch, said } = watched();
    clock.setWallBy(-4_000);
    await clock.advance(120_000);
    clock.setWallBy(HOUR_MS);
    await clock.advance(120_000);
    watch.stop();
    clock.setWallBy(-HOUR_MS);
    await clock.advance(120_000);
    expect(said()).toEqual([]);
    expect(clock.scheduled).toBe(0);
  });
});
