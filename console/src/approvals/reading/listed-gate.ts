import { FlowgateApiError, type FlowgateClient, type GateItem } from 'flowgate-client/remote';
import { gateKey, isOlderGate } from '../gate-cards.js';

const PAGE = 200;
const MOST_PAGES = 3;

/** Somebody may be allowed to decide, and not to read runs: they have what lists say. */
export function mayNotReadRuns(error: unknown): boolean {
  return error instanceof FlowgateApiError && error.status === 403;
}

/** The gate among the newest ones; null: it is not there. */
export async function listedGate(
  client: Pick<FlowgateClient, 'listGates'>,
  gate: { readonly workflowId?: string | undefined; readonly runId: string; readonly gateId: number },
  status: 'open' | 'decided',
  signal?: AbortSignal,
): Promise<GateItem | null> {
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { items, next } = await client.listGates({
      status,
      workflowId: gate.workflowId,
      limit: PAGE,
      cursor,
      signal,
    });
    const found = items.find((item) => gateKey(item) === gateKey(gate));
    if (found !== undefined) return found;
    if (next === null) break;
    cursor = next;
  }
  return null;
}

/** Which of some gates, in the order of lists, are not open any more. The page at the cursor is the first that can have one of them. */
export async function closedAmong(
  client: Pick<FlowgateClient, 'listGates'>,
  gates: readonly GateItem[],
  firstCursor: string,
  signal: AbortSignal,
): Promise<readonly GateItem[]> {
  const last = gates.at(-1);
  if (last === undefined) return [];
  const open = new Set<string>();
  for (let cursor: string | null = firstCursor; cursor !== null;) {
    const page = await client.listGates({ status: 'open', limit: PAGE, cursor, signal });
    for (const gate of page.items) open.add(gateKey(gate));
    const end: GateItem | undefined = page.items.at(-1);
    cursor = end === undefined || isOlderGate(end, last) ? null : page.next;
  }
  return gates.filter((gate) => !open.has(gateKey(gate)));
}
