import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { GateItem } from 'flowgate-client/remote';
import { useLiveList } from '../api/live-list.js';
import { client, identityKey } from '../api/service.js';
import { here, href } from '../app/router.js';
import { Trouble } from '../ui/trouble.js';
import { GateCardView } from './gate-card.js';
import { gateKey, type GateCard } from './gate-cards.js';
import { findGate, howClosed } from './how-closed.js';

const MOST = 200;

/** The one gate that a link names: somebody was sent here to decide once. */
export function LinkedGate({ runId, gateId }: { readonly runId: string; readonly gateId: string }) {
  const { workflow } = here.value.query;
  const wanted = { workflowId: workflow, runId, gateId: Number(gateId) };
  const card = useSignal<GateCard | null | undefined>(undefined);
  const trouble = useSignal<Error | null>(null);
  const who = identityKey.value;
  const look = (): void => {
    card.value = undefined;
    trouble.value = null;
    find(wanted).then(
      (found) => (card.value = found),
      (error: unknown) => (trouble.value = error instanceof Error ? error : new Error(String(error))),
    );
  };
  useEffect(look, [who]);
  const live = useLiveList<GateItem>(`gates ${workflow ?? ''}`, {
    keyOf: (item) => gateKey(item as GateItem),
    open: (signal) => client.value.watchGates({ status: 'open', workflowId: workflow, limit: MOST, signal }),
    holdsNew: () => false,
  });
  const { isRead, shown } = live.list.value;
  const current = card.value;
  const isOpen = shown.some((gate) => gateKey(gate) === gateKey(wanted));
  useEffect(() => {
    if (!isRead || isOpen || current === null || current === undefined || current.closed !== null) return;
    void howClosed(current.gate).then((closed) => (card.value = { ...current, closed }));
  }, [isRead, isOpen, current]);
  return (
    <>
      <div class="head">
        <h1>Approval</h1>
        <a href={href('approvals')}>All approvals</a>
      </div>
      <div class="cards">
        <Trouble error={trouble.value} onAgain={look} />
        {current === undefined && trouble.value === null ? <p class="muted">Loading…</p> : null}
        {current === null ? (
          <div class="empty">
            <h2>There is no such gate</h2>
            <p>The link may be an old one: the gate was closed long ago, or its run was removed.</p>
          </div>
        ) : null}
        {current === null || current === undefined ? null : (
          <GateCardView card={current} isResting={false} isAlone />
        )}
      </div>
    </>
  );
}

async function find(wanted: {
  readonly workflowId: string | undefined;
  readonly runId: string;
  readonly gateId: number;
}): Promise<GateCard | null> {
  const key = gateKey(wanted);
  const open = await findGate(wanted, 'open');
  if (open !== null) return { key, gate: open, closed: null };
  const decided = await findGate(wanted, 'decided');
  if (decided?.decision === undefined) return null;
  return { key, gate: decided, closed: { how: 'decided', decision: decided.decision } };
}
