import type { Tally } from './tally.js';

type Labels = Readonly<Record<string, string | number>>;

/** One time series, as of now. */
export interface Sample {
  /** What follows the family's name in the series' own. */
  readonly suffix: '' | '_bucket' | '_sum' | '_count';
  readonly labels: Labels;
  readonly value: number;
}

/** One metric, with all its time series, as of now. No sample: it cannot be read at the moment. */
export interface MetricFamily {
  /** The name; that of a counter ends in `_total`. */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

export function counter(name: `${string}_total`, help: string, samples: readonly Sample[]): MetricFamily {
  return { name, help, type: 'counter', samples };
}

export function gauge(name: string, help: string, samples: readonly Sample[]): MetricFamily {
  return { name, help, type: 'gauge', samples };
}

/** `tallies`: one for each set of labels. */
export function histogram(
  name: string,
  help: string,
  tallies: readonly { readonly labels: Labels; readonly tally: Tally }[],
): MetricFamily {
  return { name, help, type: 'histogram', samples: tallies.flatMap(seriesOf) };
}

export function sample(value: number, labels: Labels = {}): Sample {
  return { suffix: '', labels, value };
}

/** A sample for each entry of a record; the key is the value of the label. */
export function samplesBy(label: string, values: Readonly<Record<string, number>>): readonly Sample[] {
  return Object.entries(values).map(([name, value]) => sample(value, { [label]: name }));
}

function seriesOf({ labels, tally }: { readonly labels: Labels; readonly tally: Tally }): readonly Sample[] {
  const { count, sum, bounds } = tally;
  const bucket = (le: number | string, value: number): Sample => ({
    suffix: '_bucket',
    labels: { le, ...labels },
    value,
  });
  return [
    ...tally.cumulative().map((value, index) => bucket(bounds[index] ?? 0, value)),
    bucket('+Inf', count),
    { suffix: '_sum', labels, value: sum },
    { suffix: '_count', labels, value: count },
  ];
}
