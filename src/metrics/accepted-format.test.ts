import { acceptedFormat } from './accepted-format.js';

describe('the format of the metrics', () => {
  it.each([
    undefined,
    '',
    '*/*',
    'text/plain',
    'application/json',
    'text/plain;q=0.9,application/openmetrics-text;q=0.5',
    'application/openmetrics-text;q=0',
    'application/openmetrics-text;q=many',
    'application/openmetrics-textual',
    `${'a/b,'.repeat(2_000)}`,
  ])('is that of Prometheus for Accept: %s', (accept) => {
    expect(acceptedFormat(accept)).toBe('prometheus');
  });

  it.each([
    'application/openmetrics-text',
    'APPLICATION/OpenMetrics-Text; version=1.0.0',
    // The header of Prometheus 3.
    'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1',
    'text/plain,application/openmetrics-text',
  ])('is OpenMetrics for Accept: %s', (accept) => {
    expect(acceptedFormat(accept)).toBe('openmetrics');
  });
});
