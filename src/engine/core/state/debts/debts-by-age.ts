import type { Debt } from './debt.js';
import type { PersistentMap } from '../collections/persistent-map.js';

/**
 * A debt, and the one that came to be before it. Of those of one event, the call that was made last counts as the last. A link
 * of which the debt is gone, or came to be anew, stays and means nothing.
 */
export interface DebtByAge {
  readonly id: number;
  readonly seq: number;
  readonly older: DebtByAge | null;
}

/** The debts of a run, and their order. */
export interface OrderedDebts {
  readonly debts: PersistentMap<number, Debt>;
  readonly debtsByAge: DebtByAge | null;
}

/** How far down a closing has come: of the debts that there were when `newest` was the last one, none above `at` is left to undo. */
export interface ReachedDebt {
  readonly newest: DebtByAge;
  readonly at: DebtByAge;
}

/** The list with a debt that came to be with the last event, or the one that is being folded. */
export function withDebt(debts: DebtByAge | null, id: number, seq: number): DebtByAge {
  const later: number[] = [];
  let older = debts;
  for (; older !== null && older.seq === seq && older.id > id; { older } = older) later.push(older.id);
  return later.reduceRight<DebtByAge>((below, other) => ({ id: other, seq, older: below }), {
    id,
    seq,
    older,
  });
}

export function orderedByAge(debts: PersistentMap<number, Debt>): DebtByAge | null {
  return [...debts]
    .sort(([idA, a], [idB, b]) => a.seq - b.seq || idA - idB)
    .reduce<DebtByAge | null>((older, [id, { seq }]) => ({ id, seq, older }), null);
}

/**
 * The debts that came to be after an event, the last one first. `reached`: without those that a closing has been past; so all
 * that it undoes costs it one way down the list, also where others came to be meanwhile.
 */
export function* debtsSince(
  { debts, debtsByAge }: OrderedDebts,
  since: number,
  reached: ReachedDebt | null = null,
): Generator<readonly [id: number, debt: Debt, link: DebtByAge]> {
  let link = debtsByAge;
  while (link !== null && link.seq > since) {
    if (link === reached?.newest) link = reached.at;
    const debt = debts.get(link.id);
    if (debt !== undefined && debt.seq === link.seq) yield [link.id, debt, link];
    link = link.older;
  }
}

/** How far down a closing has come that undoes a debt next. */
export function reachedAt(state: OrderedDebts, id: number, before: ReachedDebt | null): ReachedDebt | null {
  const newest = state.debtsByAge;
  if (newest === null) return null;
  for (const [other, , at] of debtsSince(state, -Infinity, before)) if (other === id) return { newest, at };
  return null;
}
