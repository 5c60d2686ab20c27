import type { RunItem } from 'flowgate-client/remote';
import { useLiveList } from '../api/live-list.js';
import { client, identityKey } from '../api/service.js';
import { RunTable } from '../runs/run-table.js';
import { Trouble } from '../ui/trouble.js';

const PAGE = 50;

/** The runs of one workflow, live. */
export function WorkflowRuns({ workflowId }: { readonly workflowId: string }) {
  const live = useLiveList<RunItem>(`runs of ${workflowId}`, {
    keyOf: (item) => (item as RunItem).runId,
    open: (signal) => client.value.watchRuns({ workflowId, limit: PAGE, signal }),
    holdsNew: () => false,
  });
  const { isRead, shown, next } = live.list.value;
  return (
    <>
      <Trouble error={live.trouble.value} />
      <RunTable key={identityKey.value} isRead={isRead} runs={shown} next={next} filter={{ workflowId }} />
    </>
  );
}
