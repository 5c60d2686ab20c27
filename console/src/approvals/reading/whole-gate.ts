import type { FlowgateClient, GateItem, JsonValue } from 'flowgate-client/remote';

/** What a gate asks, with nothing of it cut. */
export interface WholeGate extends Pick<
  GateItem,
  'unitId' | 'path' | 'title' | 'description' | 'payload' | 'onReject' | 'openedAt' | 'dueAt'
> {}

type Address = Pick<GateItem, 'workflowId' | 'runId' | 'gateId'>;

/** What a gate asks, from the event that opened it, whose number it has; null: that opened none. */
export async function wholeGate(
  client: Pick<FlowgateClient, 'getEvent'>,
  { workflowId, runId, gateId }: Address,
  signal?: AbortSignal,
): Promise<WholeGate | null> {
  const event = await client.getEvent(workflowId, runId, gateId, { view: 'log', signal });
  if (event.type !== 'gate-opened') return null;
  const { at: openedAt, path = '', data } = event;
  const timeoutMs = data['timeoutMs'];
  return {
    unitId: textOf(data['unitId']) ?? '',
    path,
    title: textOf(data['title']) ?? '',
    description: textOf(data['description']),
    payload: data['payload'] ?? null,
    onReject: data['onReject'] === 'continue' ? 'continue' : 'fail',
    openedAt,
    ...(typeof timeoutMs === 'number' ? { dueAt: openedAt + timeoutMs } : {}),
  };
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
