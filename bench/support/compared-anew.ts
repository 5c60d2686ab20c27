import { hold, type Measure, type Subject } from './contest.ts';
import type { TimedWork } from './equal-terms.ts';
import type { Contest } from './results.ts';
import { Scope } from './scope.ts';

const ROUNDS_OF_A_START = 2;
const STARTS = 9;
const SECONDS = 1.5;
/** Each process, since it was started. */
const WARM_UP_SECONDS = 3;

interface Comparison extends Subject {
  /** By name: starts the process, whose scope ends before the next one. */
  readonly contenders: Readonly<Record<string, (scope: Scope) => Promise<TimedWork>>>;
  /** How often all are started anew. */
  readonly starts?: number;
}

/**
 * Has services do the same work in interleaved rounds, in processes that are started anew every two rounds: two processes of the same
 * program differ by a few per cent for as long as they live.
 */
export async function compareAnew({ contenders, starts = STARTS, ...subject }: Comparison): Promise<Contest> {
  let scope = new Scope();
  let running: Readonly<Record<string, Measure>> = {};
  const startAnew = async () => {
    await scope.close();
    scope = new Scope();
    const started: Record<string, Measure> = {};
    for (const [name, start] of Object.entries(contenders)) {
      const measure = await start(scope);
      await measure(WARM_UP_SECONDS);
      started[name] = () => measure(SECONDS);
    }
    running = started;
  };
  const measureOf =
    (name: string): Measure =>
    async () => {
      const measure = running[name];
      if (measure === undefined) throw new Error(`${name} was not started.`);
      return measure();
    };
  try {
    return await hold({
      ...subject,
      contenders: Object.fromEntries(Object.keys(contenders).map((name) => [name, measureOf(name)])),
      rounds: starts * ROUNDS_OF_A_START,
      prepare: async (round) => {
        if (round % ROUNDS_OF_A_START === 0) await startAnew();
      },
    });
  } finally {
    await scope.close();
  }
}
