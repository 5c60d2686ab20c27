import type { FlowgateClient, GateItem } from 'flowgate-client/remote';
import type { ClosedGate } from '../gate-cards.js';
import { listedGate, mayNotReadRuns } from './listed-gate.js';

const PAGE = 1_000;
/** So many open gates of a run are listed, the oldest ones. */
const MOST_LISTED = 20;

type Reader = Pick<FlowgateClient, 'listGates' | 'listRuns' | 'eachEvent'>;
type Address = Pick<GateItem, 'workflowId' | 'runId' | 'gateId'>;

/**
 * How a gate was closed, as its own run says; null: it waits. A list of gates has the newest alone, so that one which is not there may
 * wait all the same. Rejects where the service does not say.
 */
export async function howClosed(
  client: Reader,
  gate: Address,
  signal?: AbortSignal,
): Promise<ClosedGate | null> {
  try {
    return await asItsRunSays(client, gate, signal);
  } catch (error) {
    if (!mayNotReadRuns(error)) throw error;
    const decision = (await listedGate(client, gate, 'decided', signal))?.decision;
    return decision === undefined ? { how: 'gone' } : { how: 'decided', decision };
  }
}

async function asItsRunSays(
  client: Reader,
  { workflowId, runId, gateId }: Address,
  signal: AbortSignal | undefined,
): Promise<ClosedGate | null> {
  const { items } = await client.listRuns({ idPrefix: runId, limit: 1, signal });
  const run = items.find((item) => item.runId === runId);
  if (run === undefined) return { how: 'gone' };
  if (run.openGates.some((gate) => gate.gateId === gateId)) return null;
  // Older services wrote no event where a gate went with its run.
  let closed: ClosedGate | null = run.openGates.length < MOST_LISTED ? { how: 'gone' } : null;
  // A gate has the number of the event that opened it.
  const after = client.eachEvent(workflowId, runId, { afterSeq: gateId, limit: PAGE, signal });
  for await (const { type, at, data } of after) {
    if (data['gateId'] !== gateId) continue;
    const { approved, responder, comment } = data;
    if (type === 'gate.decided')
      return {
        how: 'decided',
        decision: {
          approved: approved === true,
          responder: String(responder),
          decidedAt: at,
          comment: typeof comment === 'string' ? comment : null,
        },
      };
    if (type === 'gate.closed') closed = { how: 'gone' };
    // A run that failed was resumed: the gate waits again.
    if (type === 'gate.opened') closed = null;
  }
  return closed;
}
