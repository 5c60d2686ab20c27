import * as fc from 'fast-check';
import { MAX_DURATION_MS, parseDuration } from './duration.js';

function reason(text: string): string {
  const result = parseDuration(text);
  return result.ok ? `accepted: ${result.ms}` : result.reason;
}

describe('an ISO 8601 duration', () => {
  it.each([
    ['PT0S', 0],
    ['PT30S', 30_000],
    ['PT1.5S', 1_500],
    ['PT0,001S', 1],
    ['PT0.0004S', 0],
    ['PT1H30M', 5_400_000],
    ['PT0.5H', 1_800_000],
    ['P2D', 172_800_000],
    ['P1W', 604_800_000],
    ['P1W2DT3H4M5.006S', 788_645_006],
    ['P3652D', 315_532_800_000],
  ])('%s is %j ms', (text, ms) => {
    expect(parseDuration(text)).toEqual({ ok: true, ms });
  });

  it.each(['P1Y', 'P1M', 'P1Y2M3DT4H', 'P0.5Y', 'P1MT1M'])('%s is refused: years and months vary', (text) => {
    expect(reason(text)).toContain('whose length varies');
  });

  it.each([
    '',
    'P',
    'PT',
    'P1',
    '30s',
    '1H',
    'pt1h',
    '-PT1S',
    'P-1D',
    'PT1S ',
    'PT1M1H',
    'P1DT',
    'PT1.S',
    'PT１S',
    'P1S',
  ])('%j is refused with an example', (text) => {
    expect(reason(text)).toContain('`PT30S`');
  });

  it('is refused with a fraction anywhere but in its last part', () => {
    expect(reason('P1.5DT1H')).toContain('only the smallest unit');
  });

  it('is refused when it is long, however long it is', () => {
    expect(reason('P3653D')).toContain('longer than 10 years');
    expect(reason(`PT${'9'.repeat(60)}S`)).toContain('longer than 10 years');
    expect(reason(`PT${'9'.repeat(1_000_000)}S`).length).toBeLessThan(300);
  });

  it('is the sum of its parts', () => {
    const part = fc.nat(50);
    fc.assert(
      fc.property(part, part, part, part, part, (weeks, days, hours, minutes, seconds) => {
        const ms = ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000;
        expect(parseDuration(`P${weeks}W${days}DT${hours}H${minutes}M${seconds}S`)).toEqual({ ok: true, ms });
      }),
    );
  });

  it('is never NaN, negative or beyond the bound', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^P[0-9.,YMWDTHS]{0,20}$/), (text) => {
        const result = parseDuration(text);
        expect(!result.ok || (result.ms >= 0 && result.ms <= MAX_DURATION_MS)).toBe(true);
      }),
    );
  });
});
