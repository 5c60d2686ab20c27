import { useReading } from '../../api/reading.js';
import { client } from '../../api/service.js';
import { Dialog } from '../../ui/dialog.js';
import { Trouble } from '../../ui/trouble.js';
import { StartDialog } from '../../workflows/start/start-dialog.js';
import { runInput } from './run-input.js';

interface Props {
  readonly workflowId: string;
  readonly runId: string;
  readonly onClose: () => void;
}

/** Begins a run again, with something else: by the workflow as it is registered now. */
export function AgainDialog({ workflowId, runId, onClose }: Props) {
  const { value, error } = useReading(`again ${workflowId} ${runId}`, async (signal) => ({
    workflow: await client.value.getWorkflow(workflowId, { signal }),
    input: await runInput(client.value, { workflowId, runId }, signal),
  })).value;
  if (value !== undefined) return <StartDialog {...value} onClose={onClose} />;
  return (
    <Dialog title={`Start ${workflowId}`} onClose={onClose}>
      {error === undefined ? <p class="muted">Loading…</p> : <Trouble error={error} />}
    </Dialog>
  );
}
