import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { GateItem, GatePage } from 'flowgate-client/remote';
import { useLiveList, type LiveList } from '../api/live-list.js';
import { client } from '../api/service.js';
import { href } from '../app/router.js';
import { Trouble } from '../ui/trouble.js';
import { GateCardView } from './gate-card.js';
import { cardsAfter, cardsWith, gateKey, isOlderGate, type GateCard } from './gate-cards.js';
import { openGates } from './open-gates.js';
import { howClosed } from './reading/how-closed.js';
import { closedAmong } from './reading/listed-gate.js';

const MOST = 200;
/** A card that has just moved is not what the finger was meant for. */
const REST_MS = 500;
/** Of what is older than its first page a stream says nothing: that is looked at again so often while the tab is seen. */
const LOOK_EVERY_MS = 10_000;

type FirstPage = Pick<GatePage, 'items' | 'next'>;

/** Every gate that waits for a decision, as cards. */
export function OpenGates() {
  const cards = useSignal<readonly GateCard[]>([]);
  const isResting = useSignal(false);
  /** What the stream knows: the first page, as it was when that was opened. */
  const watched = useRef<FirstPage | null>(null);
  const live = useLiveList<GateItem>('gates', {
    keyOf: (item) => gateKey(item as GateItem),
    open: async function* (signal) {
      for await (const change of client.value.watchGates({ status: 'open', limit: MOST, signal })) {
        if (change.type === 'snapshot') watched.current = change;
        yield change;
      }
    },
    holdsNew: () => cards.peek().length > 0,
    isOlder: isOlderGate,
  });
  const trouble = useSignal<Error | null>(null);
  const isReading = useSignal(false);
  const { isRead, shown, waiting, next } = live.list.value;
  const more = async (): Promise<void> => {
    // Pressed twice, it is one page.
    if (isReading.peek() || next === null) return;
    isReading.value = true;
    trouble.value = null;
    try {
      live.showOlder(await client.value.listGates({ status: 'open', limit: MOST, cursor: next }));
    } catch (error) {
      trouble.value = error as Error;
    } finally {
      isReading.value = false;
    }
  };
  const ask = async (gate: GateItem): Promise<void> => {
    const key = gateKey(gate);
    try {
      const closed = await howClosed(client.value, gate);
      cards.value = cardsWith(cards.peek(), key, closed);
    } catch (error) {
      cards.value = cardsWith(cards.peek(), key, { how: 'unread', error });
    }
  };

  useEffect(() => {
    const before = cards.peek();
    const after = cardsAfter(before, shown);
    cards.value = after;
    // Where there are older ones, the bar asks how many.
    if (isRead && next === null) openGates.value = shown.length + waiting.length;
    for (const { gate, closed } of after) if (closed?.how === 'unknown') void ask(gate);
    if (before.length === 0 || before.map(({ key }) => key).join() === after.map(({ key }) => key).join())
      return undefined;
    isResting.value = true;
    const timer = setTimeout(() => (isResting.value = false), REST_MS);
    return () => clearTimeout(timer);
  }, [shown, waiting]);

  useLookAtOlder(live, watched);

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
                onAgain={() => void ask(card.gate)}
                onSettled={() =>
                  live.take({ type: 'remove', runId: card.gate.runId, gateId: card.gate.gateId })
                }
                onDismiss={() => (cards.value = cards.value.filter(({ key }) => key !== card.key))}
              />
            </li>
          ))}
        </ul>
      )}
      <Trouble error={trouble.value} />
      {next === null ? null : (
        <button type="button" class="centred" aria-disabled={isReading.value} onClick={() => void more()}>
          Older gates
        </button>
      )}
    </>
  );
}

/** Takes those off the list that are older than what the stream knows, and wait no more. */
function useLookAtOlder(live: LiveList<GateItem>, watched: { readonly current: FirstPage | null }): void {
  useEffect(() => {
    const left = new AbortController();
    let isLooking = false;
    const look = async (): Promise<void> => {
      const { next: after = null, items = [] } = watched.current ?? {};
      const end = items.at(-1);
      if (isLooking || document.hidden || after === null || end === undefined) return;
      isLooking = true;
      try {
        const older = live.list.peek().shown.filter((gate) => isOlderGate(gate, end));
        for (const { runId, gateId } of await closedAmong(client.value, older, after, left.signal))
          live.take({ type: 'remove', runId, gateId });
      } catch {
        // The bar says that the service is gone; what is shown stays until the next look.
      } finally {
        isLooking = false;
      }
    };
    const timer = setInterval(() => void look(), LOOK_EVERY_MS);
    const onVisibility = (): void => void look();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onVisibility);
      left.abort();
    };
  }, [live]);
}
