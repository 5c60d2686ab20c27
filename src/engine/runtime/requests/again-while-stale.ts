import { StoreError } from '../../../errors/service-errors.js';
import type { WorkflowRegistry } from '../../definitions/workflow-registry.js';
import { StartRefused } from '../mailbox/live-run.js';

/** A workflow that is registered anew between every look and every start, so many times in a row, is refused. */
const MAX_STALE_STARTS = 10;

/** Begins a run; where what it was to begin from is another by the time of its append, looks again and tries again. */
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
