import { CLOCK, type Clock } from './clock.ts';
import { hold, type Measure, type Sample, type Subject } from './contest.ts';
import type { Effort } from './part.ts';
import type { Contest } from './results.ts';

/** Does the work for so many seconds, says what it cost, and resolves once nothing of it is left to do. */
export type TimedWork = (seconds: number) => Promise<Sample>;

interface EqualTermsPlan extends Subject {
  readonly contenders: Readonly<Record<string, TimedWork>>;
}

type WarmUp = Pick<Effort, 'warmUpOperations' | 'warmUpSeconds' | 'seconds'>;
type Pace = Pick<Effort, 'runUpSeconds' | 'quietMs' | 'seconds'>;

/**
 * A contest of contenders that are equally warm, whatever came before: each has done so many operations before its first
 * round, and each round is the same for all: a run-up that nobody counts, a time without load, and the work.
 */
export async function holdOnEqualTerms(
  plan: EqualTermsPlan,
  effort: WarmUp & Pace & Pick<Effort, 'rounds'>,
  clock: Clock = CLOCK,
): Promise<Contest> {
  const operations = new Map<string, number>();
  const contenders: Record<string, Measure> = {};
  for (const [name, work] of Object.entries(plan.contenders)) {
    operations.set(name, await warmUp(work, effort));
    contenders[name] = () => settled(work, effort, clock);
  }
  const contest = await hold({ ...plan, contenders, rounds: effort.rounds });
  return {
    ...contest,
    contenders: contest.contenders.map((contender) => ({
      ...contender,
      warmUpOperations: operations.get(contender.name) ?? 0,
    })),
  };
}

/**
 * Has the work done until there were enough operations, or for as long as a slow one is given. Resolves with how many there
 * were.
 */
export async function warmUp(
  work: TimedWork,
  { warmUpOperations, warmUpSeconds, seconds }: WarmUp,
): Promise<number> {
  let operations = 0;
  for (let spent = 0; operations < warmUpOperations && spent < warmUpSeconds; spent += seconds)
    operations += (await work(seconds)).done;
  return operations;
}

/**
 * One measurement: whoever waited long for its turn has its code and its caches back before it is measured. The time without
 * load is as long for those who have to catch up meanwhile as for the others.
 */
export async function settled(
  work: TimedWork,
  { runUpSeconds, quietMs, seconds }: Pace,
  clock: Clock = CLOCK,
): Promise<Sample> {
  const loadEnds = clock.now() + runUpSeconds * 1_000;
  await work(runUpSeconds);
  await clock.pause(Math.max(0, loadEnds + quietMs - clock.now()));
  return work(seconds);
}

/** What the page says of it. */
export function termsOf({
  warmUpOperations,
  warmUpSeconds,
  runUpSeconds,
  quietMs,
  seconds,
}: WarmUp & Pace): Readonly<Record<string, string | number>> {
  const operations = warmUpOperations.toLocaleString('en');
  return {
    'warm-up of each': `${operations} operations, or ${warmUpSeconds} s`,
    'seconds of a run-up before a round': runUpSeconds,
    'seconds without load before a round': quietMs / 1_000,
    'seconds of a round': seconds,
  };
}
