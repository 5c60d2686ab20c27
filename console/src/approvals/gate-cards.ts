import type { GateDecision, GateItem } from 'flowgate-client/remote';

/** A gate that is shown. One that was closed while somebody looked at it stays, and says how. */
export interface GateCard {
  readonly key: string;
  readonly gate: GateItem;
  /** Null: it waits for a decision. */
  readonly closed: ClosedGate | null;
}

/**
 * `unknown`: it has left the list, and it is not known yet why; `unread`: the service could not say why; `gone`: nobody decided, the run
 * went another way.
 */
export type ClosedGate =
  | { readonly how: 'decided'; readonly decision: GateDecision }
  | { readonly how: 'unread'; readonly error: unknown }
  | { readonly how: 'unknown' | 'gone' };

/** Of a gate, and of what a removal from the list names. */
export function gateKey({ runId, gateId }: { readonly runId: string; readonly gateId?: number }): string {
  return `${runId} ${gateId ?? ''}`;
}

/** Lists are ordered by when their gates opened. */
export function isOlderGate(gate: GateItem, than: GateItem): boolean {
  if (gate.openedAt !== than.openedAt) return gate.openedAt < than.openedAt;
  return gate.runId === than.runId ? gate.gateId < than.gateId : gate.runId < than.runId;
}

/**
 * The cards, once other gates are open: each stays where it is, those that are not open any more become closed, and others come
 * before them, or after them where they are older.
 */
export function cardsAfter(cards: readonly GateCard[], open: readonly GateItem[]): readonly GateCard[] {
  const openByKey = new Map(open.map((gate) => [gateKey(gate), gate]));
  const kept = cards.map((card) => {
    const gate = openByKey.get(card.key);
    if (gate !== undefined) return { ...card, gate, closed: null };
    return card.closed === null ? { ...card, closed: { how: 'unknown' } as const } : card;
  });
  const known = new Set(cards.map(({ key }) => key));
  const last = open.findLastIndex((gate) => known.has(gateKey(gate)));
  const fresh = (gates: readonly GateItem[]): readonly GateCard[] =>
    gates
      .filter((gate) => !known.has(gateKey(gate)))
      .map((gate) => ({ key: gateKey(gate), gate, closed: null }));
  if (last < 0) return [...fresh(open), ...kept];
  return [...fresh(open.slice(0, last)), ...kept, ...fresh(open.slice(last))];
}

/** The cards, once it is known how one was closed; null: it waits. */
export function cardsWith(
  cards: readonly GateCard[],
  key: string,
  closed: ClosedGate | null,
): readonly GateCard[] {
  return cards.map((card) => (card.key === key ? { ...card, closed } : card));
}
