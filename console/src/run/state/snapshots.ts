import type { JsonObject } from 'flowgate-client/remote';
import { apiUrl, identityHeaders, watchedFetch } from '../../api/service.js';

/** A state of a run as it was at a checkpoint. */
export interface Snapshot {
  readonly snapshotId: string;
  readonly state: JsonObject;
}

/** The client knows no snapshots yet: they are asked for as it would. Throws where there is none. */
export async function readSnapshot(
  workflowId: string,
  runId: string,
  seq: number,
  signal: AbortSignal,
): Promise<Snapshot> {
  const [workflow, run, snapshot] = [workflowId, runId, `${runId}.${seq}`].map((id) =>
    encodeURIComponent(id),
  );
  const address = new URL(`workflows/${workflow}/runs/${run}/snapshots/${snapshot}`, apiUrl.value);
  const response = await watchedFetch(address, { headers: identityHeaders.value, redirect: 'error', signal });
  if (response.ok) return (await response.json()) as Snapshot;
  const { error = `The service answered with ${response.status}` } = (await response
    .json()
    .catch(() => ({}))) as { readonly error?: string };
  throw new Error(error);
}
