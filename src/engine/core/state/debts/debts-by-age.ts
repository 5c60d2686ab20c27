import type { Debt } from './debt.js';
import type { PersistentMap } from '../collections/persistent-map.js';

/**
 * A debt, and the one that came to be before it. Of those of one event, the call that was made last counts as the last. A link
 * of which the debt is gone, or came to be anew, means nothing, and stays until there are too many like it.
 */
export interface DebtByAge {
  readonly id: number;
  readonly seq: number;
  readonly older: DebtByAge | null;
  /** How many links there are from here on, this one included. */
  readonly length: number;
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
  return later.reduceRight<DebtByAge>((below, other) => linked(below, other, seq), linked(older, id, seq));
}

function linked(older: DebtByAge | null, id: number, seq: number): DebtByAge {
  return { id, seq, older, length: (older?.length ?? 0) + 1 };
}

/** How many links may mean nothing, next to as many as there are debts. */
const SPARE_LINKS = 32;

/**
 * The list, without what means nothing where that is most of it: so each link is dropped at the cost of one look at it. A closing that
 * undoes something meanwhile walks down from the top once more.
 */
export function withoutStaleLinks({ debts, debtsByAge }: OrderedDebts): DebtByAge | null {
  if (debtsByAge === null || debtsByAge.length <= 2 * debts.size + SPARE_LINKS) return debtsByAge;
  const current = [...debtsSince({ debts, debtsByAge }, -Infinity)];
  return current.reduceRight<DebtByAge | null>((older, [id, { seq }]) => linked(older, id, seq), null);
}

export function orderedByAge(debts: PersistentMap<number, Debt>): DebtByAge | null {
  return [...debts]
    .sort(([idA, a], [idB, b]) => a.seq - b.seq || idA - idB)
    .reduce<DebtByAge | null>((older, [id, { seq }]) => linked(older, id, seq), null);
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
