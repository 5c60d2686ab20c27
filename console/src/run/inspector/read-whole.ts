import type { FlowgateClient, JsonValue } from 'flowgate-client/remote';
import type { ValuePlace } from './facts-of-call.js';

export interface WholeRead {
  /** Undefined: the event has none. */
  readonly value: JsonValue | undefined;
  /** Of the event, in the log of the run that it is of. */
  readonly seq: number;
}

/** A value with what was left out of it for its size. */
export async function readWhole(
  client: Pick<FlowgateClient, 'getEvent'>,
  { event, field }: ValuePlace,
  signal?: AbortSignal,
): Promise<WholeRead> {
  const { workflowId, runId } = event;
  const seq = 'originSeq' in event ? event.originSeq : event.seq;
  const { data } = await client.getEvent(workflowId, runId, seq, { view: 'log', signal });
  return { value: data[field], seq };
}
