import type { GateItem } from 'flowgate-client/remote';
import { client } from '../api/service.js';
import { gateKey, type ClosedGate } from './gate-cards.js';

const PAGE = 200;
/** The decision was a moment ago, so it is among the newest. */
const MOST_PAGES = 3;

/** How a gate that no longer waits was closed. */
export async function howClosed(
  gate: Pick<GateItem, 'workflowId' | 'runId' | 'gateId'>,
): Promise<ClosedGate> {
  try {
    const found = await findGate(gate, 'decided');
    return found?.decision === undefined ? { how: 'gone' } : { how: 'decided', decision: found.decision };
  } catch {
    return { how: 'gone' };
  }
}

/** The gate among the newest of its workflow; null: it is not there. */
export async function findGate(
  gate: { readonly workflowId?: string | undefined; readonly runId: string; readonly gateId: number },
  status: 'open' | 'decided',
): Promise<GateItem | null> {
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { items, next } = await client.value.listGates({
      status,
      workflowId: gate.workflowId,
      limit: PAGE,
      cursor,
    });
    const found = items.find((item) => gateKey(item) === gateKey(gate));
    if (found !== undefined) return found;
    if (next === null) break;
    cursor = next;
  }
  return null;
}
