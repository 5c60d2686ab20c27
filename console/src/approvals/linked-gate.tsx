import { useLiveList } from '../api/live-list.js';
import { client } from '../api/service.js';
import { here, href } from '../app/router.js';
import { Trouble } from '../ui/trouble.js';
import { GateCardView } from './gate-card.js';
import type { GateCard } from './gate-cards.js';
import { watchGate } from './reading/gate-by-address.js';

/** The one gate that a link names: somebody was sent here to decide once. */
export function LinkedGate({ runId, gateId }: { readonly runId: string; readonly gateId: string }) {
  const wanted = { workflowId: here.value.query['workflow'], runId, gateId: Number(gateId) };
  const live = useLiveList<GateCard>(`gate ${runId} ${gateId}`, {
    keyOf: (card) => (card as GateCard).key,
    open: (signal) => watchGate(client.value, wanted, signal),
    holdsNew: () => false,
  });
  const { isRead, shown } = live.list.value;
  const [card] = shown;
  return (
    <>
      <div class="head">
        <h1>Approval</h1>
        <a href={href('approvals')}>All approvals</a>
      </div>
      <div class="cards">
        <Trouble error={live.trouble.value} onAgain={() => live.again()} />
        {isRead || live.trouble.value !== null ? null : <p class="muted">Loading…</p>}
        {isRead && card === undefined ? (
          <div class="empty">
            <h2>There is no such gate</h2>
            <p>The link may be an old one: the gate was closed long ago, or its run was removed.</p>
          </div>
        ) : null}
        {card === undefined ? null : (
          <GateCardView card={card} isResting={false} isAlone onSettled={() => live.again()} />
        )}
      </div>
    </>
  );
}
