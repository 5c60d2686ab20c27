import type { Debt } from './debt.js';

/** How many debts there are, by what became of them. */
export interface DebtCounts {
  readonly owed: number;
  readonly done: number;
  readonly failed: number;
  readonly unknown: number;
}

export const NO_DEBTS: DebtCounts = { owed: 0, done: 0, failed: 0, unknown: 0 };

export function counted(counts: DebtCounts, debt: Debt, by: 1 | -1): DebtCounts {
  const end = endOf(debt);
  return { ...counts, [end]: counts[end] + by };
}

export function countsOf(debts: Iterable<Debt>): DebtCounts {
  let counts = NO_DEBTS;
  for (const debt of debts) counts = counted(counts, debt, 1);
  return counts;
}

function endOf({ status, error }: Debt): keyof DebtCounts {
  // The call that was to undo it has failed, and the next event says so.
  if (error !== null) return 'failed';
  return status === 'again' ? 'owed' : status;
}
