import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { GateItem } from 'flowgate-client/remote';
import { useLiveList } from '../api/live-list.js';
import { client } from '../api/service.js';
import { href } from '../app/router.js';
import { Trouble } from '../ui/trouble.js';
import { howClosed } from './how-closed.js';
import { GateCardView } from './gate-card.js';
import { cardsAfter, cardsWith, gateKey, type GateCard } from './gate-cards.js';
import { openGates } from './open-gates.js';

const MOST = 200;
/** A card that has just moved is not what the finger was meant for. */
const REST_MS = 500;

/** Every gate that waits for a decision, as cards. */
export function OpenGates() {
  const cards = useSignal<readonly GateCard[]>([]);
  const isResting = useSignal(false);
  const live = useLiveList<GateItem>('gates', {
    keyOf: (item) => gateKey(item as GateItem),
    open: (signal) => client.value.watchGates({ status: 'open', limit: MOST, signal }),
    holdsNew: () => cards.peek().length > 0,
  });
  const { isRead, shown, waiting } = live.list.value;

  useEffect(() => {
    const before = cards.peek();
    const after = cardsAfter(before, shown);
    cards.value = after;
    openGates.value = shown.length + waiting.length;
    for (const { key, gate, closed } of after) {
      if (closed?.how !== 'unknown') continue;
      void howClosed(gate).then((how) => (cards.value = cardsWith(cards.peek(), key, how)));
    }
    if (before.length === 0 || before.map(({ key }) => key).join() === after.map(({ key }) => key).join())
      return undefined;
    isResting.value = true;
    const timer = setTimeout(() => (isResting.value = false), REST_MS);
    return () => clearTimeout(timer);
  }, [shown, waiting]);

  return (
    <>
      <Trouble error={live.trouble.value} />
      {waiting.length === 0 ? null : (
        <button type="button" class="primary centred" onClick={() => live.showWaiting()}>
          {waiting.length} new
        </button>
      )}
      {isRead && cards.value.length === 0 ? (
        <div class="empty">
          <h2>Nothing waits for a decision</h2>
          <p>Gates appear here by themselves as soon as a run comes to one.</p>
          <div class="row">
            <a class="button" href={href('runs')}>
              Go to the runs
            </a>
          </div>
        </div>
      ) : (
        <ul class="cards">
          {cards.value.map((card) => (
            <li key={card.key}>
              <GateCardView
                card={card}
                isResting={isResting.value}
                onDismiss={() => (cards.value = cards.value.filter(({ key }) => key !== card.key))}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
