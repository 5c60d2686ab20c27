import type { FlowgateClient, JsonObject } from 'flowgate-client/remote';

/** The event that says what a run was given. */
const STARTED = 1;

/** The input of a run, whole: pages of events, and so what the screen knows of it, leave large values out. */
export async function runInput(
  client: Pick<FlowgateClient, 'getEvent'>,
  { workflowId, runId }: { readonly workflowId: string; readonly runId: string },
  signal?: AbortSignal,
): Promise<JsonObject> {
  const { data } = await client.getEvent(workflowId, runId, STARTED, { view: 'log', signal });
  return (data['input'] ?? {}) as JsonObject;
}
