import type { Contender, Result, Series } from '../support/results.ts';
import { median, type Figure } from '../support/statistics.ts';

/** Finds one figure in the results of a part; null: they do not have it. */
export type Measured = (result: Result) => number | null;

export function of(
  contest: string,
  name: string,
  figureIn: (contender: Contender) => Figure | null,
): Measured {
  return ({ contests }) => {
    const contender = contests.find(({ id }) => id === contest)?.contenders.find((one) => one.name === name);
    return contender === undefined ? null : (figureIn(contender)?.median ?? null);
  };
}

/** The throughput of one against that of another, round by round, whoever the reference of the contest is. */
export function against(contest: string, name: string, other: string): Measured {
  return ({ contests }) => {
    const contenders = contests.find(({ id }) => id === contest)?.contenders ?? [];
    const [own = [], others = []] = [name, other].map(
      (wanted) => contenders.find((one) => one.name === wanted)?.perSecond.rounds,
    );
    const ratios = own.flatMap((value, round) => (others[round] ? [value / others[round]] : []));
    return ratios.length === 0 ? null : median(ratios);
  };
}

function valuesOf({ series }: Result, id: string, line: string): Series['lines'][number]['points'] {
  return series.find((one) => one.id === id)?.lines.find(({ name }) => name === line)?.points ?? [];
}

/** The dearest size against the smallest. */
export function growthOf(id: string, line: string): Measured {
  return (result) => {
    const points = valuesOf(result, id, line).map(({ value }) => value.median);
    const [smallest] = points;
    return smallest === undefined || points.length < 2 ? null : Math.max(...points) / smallest;
  };
}

export function at(id: string, line: string, wanted: number): Measured {
  return (result) => valuesOf(result, id, line).find(({ size }) => size === wanted)?.value.median ?? null;
}

export function quantity(wanted: string): Measured {
  return ({ quantities }) => quantities.find(({ id }) => id === wanted)?.value.median ?? null;
}
