import type { MetricFamily, Sample } from './metric-family.js';

/** The classic Prometheus text format, or OpenMetrics. */
export type Format = 'prometheus' | 'openmetrics';

export const CONTENT_TYPES: Readonly<Record<Format, string>> = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

const TOTAL = '_total';

/**
 * The families as text. The formats differ in three things: OpenMetrics names a counter without `_total`, though not
 * its samples; it has no empty lines; and it has an end (https://prometheus.io/docs/specs/om/open_metrics_spec/).
 */
export function expositionOf(families: readonly MetricFamily[], format: Format): string {
  const texts = families.map((family) => textOf(family, format));
  return format === 'openmetrics' ? `${texts.join('\n')}\n# EOF\n` : `${texts.join('\n\n')}\n`;
}

function textOf({ name, help, type, samples }: MetricFamily, format: Format): string {
  const isShort = format === 'openmetrics' && type === 'counter' && name.endsWith(TOTAL);
  const family = isShort ? name.slice(0, -TOTAL.length) : name;
  const lines = samples.map((one) => `${name}${one.suffix}${labelsOf(one)} ${one.value}`);
  return [`# HELP ${family} ${escaped(help)}`, `# TYPE ${family} ${type}`, ...lines].join('\n');
}

function labelsOf({ labels }: Sample): string {
  const parts = Object.entries(labels).map(
    ([name, value]) => `${name}="${typeof value === 'string' ? escapedLabel(value) : value}"`,
  );
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

function escapedLabel(value: string): string {
  return escaped(value).replaceAll('"', String.raw`\"`);
}

function escaped(text: string): string {
  return text.replaceAll('\\', String.raw`\\`).replaceAll('\n', String.raw`\n`);
}
