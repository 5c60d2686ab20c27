import { CONTENT_TYPES, expositionOf } from './exposition.js';
import { counter, gauge, histogram, sample, samplesBy } from './metric-family.js';
import { Tally } from './tally.js';

const took = new Tally([0.1, 1]);
for (const value of [0.0625, 0.5, 0.5, 30]) took.observe(value);

const FAMILIES = [
  counter('runs_ended_total', 'Runs that ended.', samplesBy('status', { completed: 2, failed: 0 })),
  gauge('open_gates', 'Gates that wait.', []),
  gauge('odd', 'A \\ and\na "line".', [sample(0.25, { origin: 'a\\b\n"c"' })]),
  histogram('took_seconds', 'How long it took.', [{ labels: { origin: 'x' }, tally: took }]),
];

describe('the text of metrics', () => {
  it('is that of Prometheus', () => {
    expect(CONTENT_TYPES.prometheus).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(expositionOf(FAMILIES, 'prometheus')).toBe(String.raw`# HELP runs_ended_total Runs that ended.
# TYPE runs_ended_total counter
runs_ended_total{status="completed"} 2
runs_ended_total{status="failed"} 0

# HELP open_gates Gates that wait.
# TYPE open_gates gauge

# HELP odd A \\ and\na "line".
# TYPE odd gauge
odd{origin="a\\b\n\"c\""} 0.25

# HELP took_seconds How long it took.
# TYPE took_seconds histogram
took_seconds_bucket{le="0.1",origin="x"} 1
took_seconds_bucket{le="1",origin="x"} 3
took_seconds_bucket{le="+Inf",origin="x"} 4
took_seconds_sum{origin="x"} 31.0625
took_seconds_count{origin="x"} 4
`);
  });

  it('is that of OpenMetrics: the short name of a counter, no empty lines, and an end', () => {
    expect(CONTENT_TYPES.openmetrics).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(expositionOf(FAMILIES.slice(0, 2), 'openmetrics')).toBe(`# HELP runs_ended Runs that ended.
# TYPE runs_ended counter
runs_ended_total{status="completed"} 2
runs_ended_total{status="failed"} 0
# HELP open_gates Gates that wait.
# TYPE open_gates gauge
# EOF
`);
  });
});
