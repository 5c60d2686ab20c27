import { compileExpression, compileTemplate } from './compile.js';
import { evaluate, fill } from './testing/evaluate.js';

const NOON = 'timestamp("2024-02-29T12:00:00Z")';

describe('an instant', () => {
  it.each([
    ['a text', 'timestamp("2024-02-29T12:00:00.250Z")', '2024-02-29T12:00:00.250Z'],
    ['a text with an offset', 'timestamp("2024-02-29T12:00:00+02:00")', '2024-02-29T10:00:00Z'],
    ['milliseconds as JSON has them', 'timestamp(input.ms)', '2023-11-14T22:13:20Z'],
    ['milliseconds as the text has them', 'timestamp(1700000000000)', '2023-11-14T22:13:20Z'],
    ['the creation of the run', 'timestamp(run.createdAt)', '2023-11-14T22:13:20Z'],
    ['a sum', `${NOON} + duration("P1D")`, '2024-03-01T12:00:00Z'],
    ['a sum, the other way round', `duration("1h30m") + ${NOON}`, '2024-02-29T13:30:00Z'],
    ['a difference', `${NOON} - duration("PT12H")`, '2024-02-29T00:00:00Z'],
    ['the first', 'timestamp(-62135596800000)', '0001-01-01T00:00:00Z'],
    ['the last', 'timestamp(253402300799999)', '9999-12-31T23:59:59.999Z'],
  ])('of %s is RFC 3339 in JSON: %s', (_of, source, text) => {
    expect(evaluate(source, {}, { input: { ms: 1_700_000_000_000 } })).toBe(text);
  });

  it.each([
    ['timestamp(253402300800000)', /before the year 1 or after 9999/],
    ['timestamp(-62135596800001)', /before the year 1 or after 9999/],
    ['timestamp(1e300)', /before the year 1 or after 9999/],
    ['timestamp("tomorrow")', /timestamp/],
    ['timestamp("2024-13-01T00:00:00Z")', /timestamp/],
    ['timestamp(253402300799999) + duration("1h")', /out of range/],
    ['timestamp([1])', /not defined for a list/],
  ])('that cannot be is a failure: %s', (source, message) => {
    expect(() => evaluate(source)).toThrow(message);
  });

  it('is compared with others', () => {
    const later = `(${NOON} + duration("PT1S"))`;
    expect(
      evaluate(`[${NOON} < ${later}, ${NOON} == ${later}, ${NOON} >= ${later}, ${NOON} == ${NOON}]`),
    ).toEqual([true, false, false, true]);
  });

  it('is read in UTC or at a fixed offset, never in the zone of the machine', () => {
    const at = 'timestamp("2023-12-31T23:30:00Z")';
    expect(evaluate(`[${at}.getHours(), ${at}.getHours("UTC"), ${at}.getFullYear()]`)).toEqual([
      23, 23, 2023,
    ]);
    expect(
      evaluate(
        `[${at}.getHours("+01:00"), ${at}.getFullYear("+01:00"), ${at}.getDayOfYear("+01:00"), ${at}.getMinutes("-05:45"), ${at}.getDayOfWeek("-12:00")]`,
      ),
    ).toEqual([0, 2024, 0, 45, 0]);
    expect(evaluate('timestamp("1969-12-31T01:00:00Z").getDayOfYear()')).toBe(364);
    for (const zone of ['Europe/Berlin', '+24:00', '01:00', '+1:00', '+01:60', ''])
      expect(() => evaluate(`${at}.getHours("${zone}")`)).toThrow(/time zones are not supported/);
  });
});

describe('a duration', () => {
  it.each([
    ['duration("P3D")', 'P3D'],
    ['duration("72h")', 'P3D'],
    ['duration("P1W")', 'P7D'],
    ['duration("PT0.5S")', 'PT0.5S'],
    ['duration("1h2m3.004s")', 'PT1H2M3.004S'],
    ['duration("0s")', 'PT0S'],
    ['duration("-90s")', '-PT1M30S'],
    ['duration("-P1D")', '-P1D'],
    ['duration("1ns")', 'PT0.000000001S'],
    ['duration("-1ns")', '-PT0.000000001S'],
    [`${NOON} - timestamp("2024-02-28T11:59:59.5Z")`, 'P1DT0.5S'],
    ['duration("P1D") - duration("PT1H")', 'PT23H'],
    ['duration("P1D") + duration("PT1H")', 'P1DT1H'],
  ])('%s is ISO 8601 in JSON: %s', (source, text) => {
    expect(evaluate(source)).toBe(text);
    expect(evaluate('duration(input.text) == duration(input.text)', {}, { input: { text } })).toBe(true);
  });

  it.each([
    ['duration("P1M")', /years or months, whose length varies/],
    ['duration("P20Y")', /years or months/],
    ['duration("P99999D")', /longer than 10 years/],
    ['duration("3000000h")', /out of range/],
    ['duration(9223372037)', /longer than 292 years/],
    ['duration("soon")', /duration/],
    ['duration("P")', /is empty|no ISO 8601/],
  ])('that cannot be is a failure: %s', (source, message) => {
    expect(() => evaluate(source)).toThrow(message);
  });

  it('is compared, and read in hours, minutes and seconds', () => {
    expect(evaluate('[duration("P1D") > duration("23h"), duration("P1D") == duration("24h")]')).toEqual([
      true,
      true,
    ]);
    expect(evaluate('[duration("P2D").getHours(), duration("PT90M").getMinutes()]')).toEqual([48, 90]);
  });
});

describe('now', () => {
  it('is the instant that it is given, and nothing where there is none', () => {
    expect(evaluate('now', {}, { now: 1_700_000_000_123 })).toBe('2023-11-14T22:13:20.123Z');
    expect(evaluate('now > timestamp(run.createdAt)', {}, { now: 1_700_000_000_001 })).toBe(true);
    expect(() => evaluate('now')).toThrow(/no value here/);
  });

  it('is written into texts, lists and maps', () => {
    expect(fill({ text: 'due ${{ now + duration("PT1H") }}', list: '${{ [now] }}' }, {}, { now: 0 })).toEqual(
      { text: 'due 1970-01-01T01:00:00Z', list: ['1970-01-01T00:00:00Z'] },
    );
  });
});

describe('what a stored plan keeps of an expression', () => {
  const evaluatorOf = (source: string) => {
    const compiled = compileExpression(source);
    if (!compiled.ok) throw new Error(compiled.message);
    return compiled.expression.toStored()['evaluator'];
  };

  it.each(['state.x > 1', 'timestamp(state.x) > timestamp(state.y)', 'duration("1h") > duration("1m")'])(
    'is what it always was without anything new: %s',
    (source) => {
      expect(evaluatorOf(source)).toBe(1);
    },
  );

  it.each([
    'now > timestamp(state.x)',
    'size(vars)',
    'duration("P1D") == duration("24h")',
    'timestamp(state.x).getHours("+01:00")',
  ])('has older builds refuse it with: %s', (source) => {
    expect(evaluatorOf(source)).toBe(2);
  });

  it('is so for a template with one such text, too', () => {
    const compiled = compileTemplate({ a: 'x ${{ state.x }}', b: ['${{ now }}'] });
    expect(compiled.ok && compiled.template.toStored().evaluator).toBe(2);
  });
});

it('a variable of a comprehension that is called now is no instant', () => {
  const compiled = compileExpression('[1].map(now, now)');
  expect(compiled.ok && compiled.expression.toStored()['evaluator']).toBe(1);
});

it('what is done with times is bounded as everything else', () => {
  const list = Array.from({ length: 1_000 }, (_, index) => index);
  for (const one of [
    'now + duration("1s")',
    'now.getHours("+01:00")',
    'timestamp(x)',
    'duration("P1D")',
    'now < now',
  ]) {
    const source = `input.list.all(x, input.list.all(y, ${one} == ${one} || true))`;
    const start = performance.now();
    expect(() => evaluate(source, {}, { input: { list }, now: 0 })).toThrow(/work|steps/);
    expect(performance.now() - start).toBeLessThan(3_000);
  }
});
