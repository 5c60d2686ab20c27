import type { Histogram, RegistryContentType } from 'prom-client';
import type { MetricFamily } from './metric-family.js';

/** The classic Prometheus text format, or OpenMetrics. */
export type Format = 'prometheus' | 'openmetrics';

export interface Exposition {
  readonly contentType: string;
  write(): Promise<string>;
}

interface Value {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/**
 * A registry of its own for the families, in one format. `prom-client` takes 30 ms and some MB, so it is loaded by
 * the first request. It changes the names of counters when it writes OpenMetrics, so registries share no metric.
 */
export async function expositionOf(families: readonly MetricFamily[], format: Format): Promise<Exposition> {
  const { default: client } = await import('prom-client');
  // The content type makes it write one format or the other.
  const registry = new client.Registry<RegistryContentType>();
  registry.setContentType(
    format === 'openmetrics' ? client.openMetricsContentType : client.prometheusContentType,
  );
  // A registry uses only these members of a metric; real metrics would count a second time.
  for (const family of families) registry.registerMetric(metricOf(family) as unknown as Histogram);
  return { contentType: registry.contentType, write: () => registry.metrics() };
}

function metricOf(family: MetricFamily): object {
  const { name, help, type } = family;
  const metric = {
    name,
    help,
    type,
    aggregator: 'sum',
    // The registry may change the name.
    get: () => Promise.resolve({ ...metric, values: valuesOf(family) }),
  };
  return metric;
}

function valuesOf(family: MetricFamily): readonly Value[] {
  if (family.type !== 'histogram') return family.read();
  const { name } = family;
  return family.read().flatMap(({ labels, tally }) => {
    const { count, sum, bounds } = tally;
    const below = tally.cumulative().map((value, index) => bucket(name, labels, bounds[index] ?? 0, value));
    return [
      ...below,
      bucket(name, labels, '+Inf', count),
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  });
}

function bucket(name: string, labels: Value['labels'], le: number | string, value: number): Value {
  return { metricName: `${name}_bucket`, labels: { le, ...labels }, value };
}
