import type { Tally } from './tally.js';

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** One metric, with all its time series, as of when it is read. No sample: it cannot be read at the moment. */
export type MetricFamily = {
  /** The name; that of a counter ends in `_total`. */
  readonly name: string;
  readonly help: string;
} & (
  | { readonly type: 'counter' | 'gauge'; read(): readonly Sample[] }
  | {
      readonly type: 'histogram';
      read(): readonly { readonly labels: Labels; readonly tally: Tally }[];
    }
);

export function sample(value: number, labels: Labels = {}): Sample {
  return { labels, value };
}

/** A sample for each entry of a record; the key is the value of the label. */
export function samplesBy(label: string, values: Readonly<Record<string, number>>): readonly Sample[] {
  return Object.entries(values).map(([name, value]) => sample(value, { [label]: name }));
}
