import { ManualClock } from '../testing/manual-clock.js';
import { DefinitionSweep } from './definition-sweep.js';

const HOUR_MS = 3_600_000;

/** A sweep at work; `found` is what the store removes, call by call. */
function atWork(found: (number | Error)[]) {
  const clock = new ManualClock();
  const asked: object[] = [];
  const warnings: string[] = [];
  const store = {
    removeUnusedDefinitions: async (request: object) => {
      asked.push(request);
      const next = found.shift() ?? 0;
      if (next instanceof Error) throw next;
      return next;
    },
  };
  const stop = new AbortController();
  const logger = { warn: (message: string) => void warnings.push(message) };
  const work = new DefinitionSweep({ store, clock, logger }).work(stop.signal);
  const pass = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await new Promise(setImmediate);
  };
  const end = async (): Promise<void> => {
    stop.abort();
    await work;
  };
  return { asked, warnings, pass, end };
}

describe('the sweep of definitions', () => {
  it('begins an hour after the start, and takes batch after batch until one is not full', async () => {
    const sweep = atWork([200, 3]);
    await sweep.pass(HOUR_MS - 1);
    expect(sweep.asked).toEqual([]);
    await sweep.pass(1);
    expect(sweep.asked).toEqual([{ opening: null, limit: 200 }]);
    await sweep.pass(50);
    expect(sweep.asked).toHaveLength(2);
    await sweep.pass(HOUR_MS);
    expect(sweep.asked).toHaveLength(3);
    await sweep.end();
  });

  it('says what failed, and tries again after an hour', async () => {
    const sweep = atWork([new Error('The disk is full'), 0]);
    await sweep.pass(HOUR_MS);
    expect(sweep.warnings).toEqual([
      'Definitions that nobody needs could not be removed; the next hour tries again',
    ]);
    await sweep.pass(HOUR_MS);
    expect(sweep.asked).toHaveLength(2);
    await sweep.end();
  });
});
