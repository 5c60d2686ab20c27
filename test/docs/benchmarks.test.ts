import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartOf } from '../../bench/page/charts.ts';
import { goals, judge } from '../../bench/page/goals.ts';
import { CHARTS, fill, PAGE } from '../../bench/page/page.ts';
import { sectionsOf } from '../../bench/page/sections.ts';
import { parts } from '../../bench/parts/index.ts';
import { readResults, RESULTS, type Result } from '../../bench/support/results.ts';

const results = readResults();
const names = parts.map(({ name }) => name);
const page = readFileSync(PAGE, 'utf8');

function resultOf(part: string): Result {
  const result = results.get(part);
  if (result === undefined) throw new Error(`No results of ${part}: npm run bench -- ${part}`);
  return result;
}

describe('the page of the benchmarks', () => {
  it('says what the results say: npm run bench:charts', () => {
    expect(fill(page, sectionsOf(results))).toBe(page);
  });

  it.each(names)('shows the chart that the results of %s make: npm run bench:charts', (part) => {
    expect(readFileSync(join(CHARTS, `${part}.svg`), 'utf8')).toBe(chartOf(resultOf(part)));
  });

  it('says of results of a quick run that they are', () => {
    const quick = names.filter((part) => resultOf(part).quick);
    expect(page.split('quick: not to be quoted')).toHaveLength(quick.length + 1);
  });

  it('has a place for every part', () => {
    const sections = new Map(names.map((name) => [name, 'found']));
    expect(fill(page, sections).match(/\n\nfound\n\n/g)).toHaveLength(parts.length);
  });

  it('refuses a part that it has no place for', () => {
    expect(() => fill(page, new Map([['weather', 'fine']]))).toThrow('lacks the markers');
  });

  it('has no secret of the machine in it: only paths that everybody has', () => {
    expect(page).not.toMatch(/\/(tmp|home|root|work)\//);
  });
});

describe('the results', () => {
  it('are there for every part', () => {
    expect([...results.keys()].toSorted()).toEqual(names.toSorted());
  });

  it.each(names)('of %s hold something', (part) => {
    const { contests, series, quantities, measuredAt } = resultOf(part);
    expect([...contests, ...series, ...quantities]).not.toHaveLength(0);
    expect(Date.parse(measuredAt)).not.toBeNaN();
  });

  it.each(names)('of %s have the median of at least five rounds where several compete', (part) => {
    const { contests, quick } = resultOf(part);
    for (const { perSecond } of contests.flatMap(({ contenders }) => contenders)) {
      const { rounds, median, spread } = perSecond;
      expect(rounds.length).toBeGreaterThanOrEqual(quick ? 1 : 5);
      if (rounds.length % 2 === 1) expect(rounds).toContain(median);
      expect(spread).toEqual([Math.min(...rounds), Math.max(...rounds)]);
    }
  });

  it('are kept where the page says', () => {
    expect(page).toContain(`../${RESULTS}`);
  });
});

describe('the goals', () => {
  it.each(names)('ask something of %s', (name) => {
    expect(goals.filter(({ part, floor }) => part === name && floor !== null)).not.toHaveLength(0);
  });

  it.each(goals)('ask no less than the floor as the aim: $row', ({ floor, aim, better }) => {
    if (floor === null || aim === null) return;
    expect(better === 'higher' ? aim > floor : aim < floor).toBe(true);
  });

  it.each(goals)('find what they ask for, or the reason why not: $row', (goal) => {
    const result = resultOf(goal.part);
    const missing = result.notAvailable.some(({ name }) => goal.row.includes(name));
    expect(goal.measured(result) !== null || missing || result.quick).toBe(true);
  });

  it('are judged by floor and aim, in their own direction', () => {
    const [more, less] = [
      { part: '', row: '', unit: '×', better: 'higher', floor: 2, aim: 3, measured: () => null },
      { part: '', row: '', unit: '×', better: 'lower', floor: 2, aim: 1, measured: () => null },
    ] as const;
    expect([1, 2, 3, null].map((value) => judge(more, value))).toEqual(['missed', 'floor', 'aim', '-']);
    expect([3, 2, 1, null].map((value) => judge(less, value))).toEqual(['missed', 'floor', 'aim', '-']);
  });
});
