import { StoreError } from '../../../errors/service-errors.js';
import type { WorkflowRegistry } from '../../definitions/registry/workflow-registry.js';
import { StartRefused } from '../mailbox/live-run.js';

/** A start is refused where its workflow is registered again between the look and the start so many times in a row. */
const MAX_STALE_STARTS = 10;

/** Begins a run; where what it begins from has changed by the time of its append, refreshes the registry and tries again. */
export async function againWhileStale<Result>(
  registry: Pick<WorkflowRegistry, 'refresh'>,
  { namespace, workflowId }: { readonly namespace: string; readonly workflowId: string },
  begin: () => Promise<Result>,
): Promise<Result> {
  for (let staleStarts = 0; staleStarts < MAX_STALE_STARTS; staleStarts++) {
    try {
      return await begin();
    } catch (error) {
      if (!(error instanceof StartRefused) || error.reason !== 'stale') throw error;
    }
    await registry.refresh(namespace, workflowId);
  }
  throw new StoreError(`The workflow ${workflowId} is registered again and again: try again later`);
}
