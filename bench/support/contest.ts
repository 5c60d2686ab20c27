import { figureOf, type Figure } from './statistics.ts';
import type { Contender, Contest } from './results.ts';

/** What one round of one contender came to. */
export interface Sample {
  readonly perSecond: number;
  /** How many operations there were. */
  readonly done: number;
  /** µs per operation, of who serves; null: nobody can say. */
  readonly cpuMicros: number | null;
  /** µs per operation, of the load generator; null: who asks is in the serving process, and counted with it. */
  readonly generatorMicros: number | null;
}

/** Does the work for a while and says what it cost. */
export type Measure = () => Promise<Sample>;

/** What a contest is about. */
export interface Subject {
  readonly id: string;
  readonly title: string;
  readonly operation: string;
  /** The name of the one that the others are compared with. */
  readonly reference: string;
}

interface ContestPlan extends Subject {
  readonly contenders: Readonly<Record<string, Measure>>;
  readonly rounds: number;
  /** Before each round: brings up what the contenders need. */
  readonly prepare?: (round: number) => Promise<void>;
}

/** Lets all of them do the same work in interleaved rounds, so that the machine's load falls on all alike. */
export async function hold(plan: ContestPlan): Promise<Contest> {
  const names = Object.keys(plan.contenders);
  const samples = new Map<string, Sample[]>(names.map((name) => [name, []]));
  for (let round = 0; round < plan.rounds; round++) {
    await plan.prepare?.(round);
    for (const name of orderOfRound(names, round)) {
      const sample = await plan.contenders[name]?.();
      if (sample !== undefined) samples.get(name)?.push(sample);
    }
  }
  return compared(plan, samples);
}

/** What the rounds of all come to, each against the reference in the same round. */
export function compared(
  { id, title, operation, reference }: Subject,
  samples: ReadonlyMap<string, readonly Sample[]>,
): Contest {
  const others = samples.get(reference) ?? [];
  const contenders = [...samples].map(([name, own]) => contenderOf(name, own, others));
  return { id, title, operation, reference, contenders };
}

/** Each order comes as often as its opposite, and nobody is always after or before the same one. */
function orderOfRound(names: readonly string[], round: number): readonly string[] {
  const first = (round >> 1) % names.length;
  const rotated = [...names.slice(first), ...names.slice(0, first)];
  return round % 2 === 0 ? rotated : rotated.toReversed();
}

function contenderOf(name: string, samples: readonly Sample[], reference: readonly Sample[]): Contender {
  return {
    name,
    perSecond: figureOf(samples.map(({ perSecond }) => perSecond)),
    cpuMicros: figureOrNull(samples.map(({ cpuMicros }) => cpuMicros)),
    generatorMicros: figureOrNull(samples.map(({ generatorMicros }) => generatorMicros)),
    throughputRatio: figureOrNull(ratios(samples, reference, ({ perSecond }) => perSecond)),
    cpuRatio: figureOrNull(ratios(samples, reference, ({ cpuMicros }) => cpuMicros)),
  };
}

/** Round by round: two rounds side by side saw the same machine. */
function ratios(
  samples: readonly Sample[],
  reference: readonly Sample[],
  valueOf: (sample: Sample) => number | null,
): readonly (number | null)[] {
  return samples.map((sample, round) => {
    const other = reference[round];
    const [value, base] = [valueOf(sample), other === undefined ? null : valueOf(other)];
    return value === null || base === null || base === 0 ? null : value / base;
  });
}

function figureOrNull(values: readonly (number | null)[]): Figure | null {
  const known = values.filter((value) => value !== null);
  return known.length === values.length && known.length > 0 ? figureOf(known) : null;
}
