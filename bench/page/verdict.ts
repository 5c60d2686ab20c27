import type { Result } from '../support/results.ts';
import { goals, judge, type Judgement } from './goals.ts';
import { withUnit } from './numbers.ts';
import { table } from './table.ts';

const WORDS: Readonly<Record<Judgement, string>> = {
  aim: 'holds',
  floor: 'holds, below the aim',
  missed: 'does not hold',
  '-': '-',
};

/** What is asked, what was measured, and whether it holds: one row for each goal. */
export function verdict(results: ReadonlyMap<string, Result>): string {
  const rows = goals.map((goal) => {
    const result = results.get(goal.part);
    const measured = result === undefined ? null : goal.measured(result);
    const { floor, aim, unit } = goal;
    return [
      goal.row,
      withUnit(floor, unit),
      withUnit(aim, unit),
      withUnit(measured, unit),
      WORDS[judge(goal, measured)],
    ];
  });
  return table(['what', 'floor', 'aim', 'measured', ''], rows);
}
