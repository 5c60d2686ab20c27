import { hold, type Measure } from './contest.ts';
import type { Contest } from './results.ts';
import { Scope } from './scope.ts';
import type { Work } from './works.ts';

const ROUNDS_OF_A_PAIR = 2;
const PAIRS = 9;
const SECONDS = 1.5;
/** Each process, since it was started. */
const WARM_UP_SECONDS = 3;

type Builds = Readonly<Record<'before' | 'now', string>>;

/** Has two builds do the same work in interleaved rounds, both in processes that are started anew again and again. */
export async function compareBuilds(id: string, work: Work, builds: Builds): Promise<Contest> {
  let scope = new Scope();
  let pair: Readonly<Record<keyof Builds, Measure>> | null = null;
  const startAnew = async () => {
    await scope.close();
    scope = new Scope();
    const started = async (build: string): Promise<Measure> => {
      const measure = await work(scope, build);
      await measure(WARM_UP_SECONDS);
      return () => measure(SECONDS);
    };
    return { before: await started(builds.before), now: await started(builds.now) };
  };
  const measureOf =
    (build: keyof Builds): Measure =>
    async () => {
      if (pair === null) throw new Error('No pair was started.');
      return pair[build]();
    };
  try {
    return await hold({
      id,
      title: id,
      operation: id,
      reference: 'before',
      contenders: { before: measureOf('before'), now: measureOf('now') },
      rounds: PAIRS * ROUNDS_OF_A_PAIR,
      prepare: async (round) => {
        if (round % ROUNDS_OF_A_PAIR === 0) pair = await startAnew();
      },
    });
  } finally {
    await scope.close();
  }
}
