import { Fault } from '../../ui/fault.js';
import { useSignal } from '@preact/signals';
import { faultSentence } from '../../api/fault-sentence.js';
import { client } from '../../api/service.js';
import { PermittedButton } from '../../identity/permitted.js';
import { Dialog } from '../../ui/dialog.js';
import type { RunPicture } from '../log/picture.js';
import { Effects } from './effects.js';

interface Props {
  readonly workflowId: string;
  readonly runId: string;
  readonly picture: RunPicture;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Takes the run back to a checkpoint, from which it goes on. */
export function RewindDialog({ workflowId, runId, picture, onClose, onDone }: Props) {
  const checkpoints = picture.checkpoints;
  const chosen = useSignal(checkpoints.at(-1)?.seq ?? 0);
  const fault = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  const rewind = async (): Promise<void> => {
    fault.value = null;
    isBusy.value = true;
    try {
      await client.value.resume(workflowId, runId, `${runId}.${chosen.value}`, { syncUntil: 'recorded' });
      onDone();
      onClose();
    } catch (error) {
      fault.value = faultSentence(error);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <Dialog title="Go back" onClose={onClose}>
      <label class="field">
        <span>To the checkpoint</span>
        <select
          value={String(chosen.value)}
          onChange={({ currentTarget }) => (chosen.value = Number(currentTarget.value))}
        >
          {checkpoints.slice(-500).map(({ seq, after, unitId }) => (
            <option key={seq} value={String(seq)}>
              {seq}: {after.replaceAll('-', ' ')} {unitId}
            </option>
          ))}
        </select>
      </label>
      <Effects picture={picture} seq={chosen.value} />
      <Fault text={fault.value} />
      <div class="dialog-foot">
        <button type="button" onClick={onClose}>
          Leave it
        </button>
        <PermittedButton
          permission="run:steer"
          class="primary"
          isBusy={isBusy.value || checkpoints.length === 0}
          onClick={() => void rewind()}
        >
          Go back and go on
        </PermittedButton>
      </div>
    </Dialog>
  );
}
