// `npm run bench:smoke`: the ratios that matter most, next to the committed ones, in under two minutes. It fails only when
// something does not work: rounds so short, on a machine with other work, prove nothing.
import { goals } from './page/goals.ts';
import { withUnit } from './page/numbers.ts';
import { table } from './page/table.ts';
import { parts } from './parts/index.ts';
import { QUICK, say } from './support/part.ts';
import { readResults, resultOf, type Result } from './support/results.ts';

const PARTS: ReadonlySet<string> = new Set(['engine', 'http', 'units']);

const committed = readResults();
const now = new Map<string, Result>();
for (const part of parts.filter(({ name }) => PARTS.has(name))) {
  say(`${part.name}: ${part.title}`);
  now.set(part.name, resultOf(part.name, true, await part.measure(QUICK)));
}
const rows = goals.flatMap(({ part, row, unit, floor, measured }) => {
  const [result, before] = [now.get(part), committed.get(part)];
  const value = result === undefined ? null : measured(result);
  if (value === null) return [];
  const known = before === undefined ? null : measured(before);
  return [[row, withUnit(floor, unit), withUnit(known, unit), withUnit(value, unit)]];
});
console.log(`\n${table(['what', 'floor', 'committed', 'now'], rows)}`);
