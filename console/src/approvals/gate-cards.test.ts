import type { GateItem } from 'flowgate-client/remote';
import { cardsAfter, cardsWith, gateKey, type GateCard } from './gate-cards.js';

const gate = (runId: string, gateId = 1, title = 'Pay?') => ({ runId, gateId, title }) as GateItem;
const shown = (cards: readonly GateCard[]) =>
  cards.map(({ gate: { runId }, closed }) => (closed === null ? runId : `${runId} ${closed.how}`));

it('new gates come before those that are shown', () => {
  const cards = cardsAfter([], [gate('b'), gate('a')]);
  expect(shown(cardsAfter(cards, [gate('c'), gate('b'), gate('a')]))).toEqual(['c', 'b', 'a']);
});

it('older gates come after those that are shown', () => {
  const cards = cardsAfter([], [gate('d'), gate('c')]);
  const open = [gate('e'), gate('d'), gate('c'), gate('b'), gate('a')];
  expect(shown(cardsAfter(cards, open))).toEqual(['e', 'd', 'c', 'b', 'a']);
});

it('a gate that is closed while somebody looks at it stays where it is', () => {
  const cards = cardsAfter(cardsAfter([], [gate('b'), gate('a')]), [gate('a')]);
  expect(shown(cards)).toEqual(['b unknown', 'a']);
  const decision = { approved: true, responder: 'ada', decidedAt: 1, comment: null };
  expect(shown(cardsWith(cards, gateKey(gate('b')), { how: 'decided', decision }))).toEqual([
    'b decided',
    'a',
  ]);
});

it('one that is open again, since its run was taken back, is open', () => {
  const closed = cardsAfter(cardsAfter([], [gate('a')]), []);
  expect(shown(cardsAfter(closed, [gate('a')]))).toEqual(['a']);
});

it('two gates of one run are two cards', () => {
  expect(shown(cardsAfter([], [gate('a', 1), gate('a', 2)]))).toEqual(['a', 'a']);
});
