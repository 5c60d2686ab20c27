import type { FlowgateClient, GateItem, JsonValue } from 'flowgate-client/remote';

/** The payload of a gate that is too large for lists, from the event that opened it. Throws where that is not found. */
export async function wholeGate(
  client: Pick<FlowgateClient, 'eachEvent' | 'getEvent'>,
  { workflowId, runId, gateId }: Pick<GateItem, 'workflowId' | 'runId' | 'gateId'>,
): Promise<JsonValue> {
  for await (const { seq, type, data } of client.eachEvent(workflowId, runId)) {
    if (type !== 'gate.opened' || data['gateId'] !== gateId) continue;
    const event = await client.getEvent(workflowId, runId, seq);
    return event.data['payload'] ?? null;
  }
  throw new Error('The event that opened this gate is not in the log any more.');
}
