import { useSignal } from '@preact/signals';
import type { FullRunRecord, JsonObject } from 'flowgate-client/remote';
import { faultSentence } from '../../api/fault-sentence.js';
import { useReading } from '../../api/reading.js';
import { client } from '../../api/service.js';
import { go } from '../../app/router.js';
import { PermittedButton } from '../../identity/permitted.js';
import { actingAs } from '../../identity/who-am-i.js';
import type { Act } from '../../code/act.js';
import { CodeDialog } from '../../code/code-dialog.js';
import { Dialog } from '../../ui/dialog.js';
import { PlainText } from '../../ui/text/plain-text.js';
import { toast } from '../../ui/toasts.js';
import { save } from '../inspector/whole-value.js';
import type { RunModel } from '../live/run-model.js';
import type { Execution, RunPicture } from '../log/picture.js';
import { AgainDialog } from './again-dialog.js';
import { ForkDialog } from './fork-dialog.js';
import { RewindDialog } from './rewind-dialog.js';
import { runInput } from './run-input.js';

interface Props {
  readonly model: RunModel;
  readonly record: FullRunRecord;
  readonly picture: RunPicture;
  readonly selected: Execution | null;
}

type Steering = 'resume' | 'pause' | 'cancel' | 'compensate';

/** What can be done with the run as it stands. */
export function RunActions({ model, record, picture, selected }: Props) {
  const open = useSignal<'again' | 'fork' | 'rewind' | 'code' | 'compare' | null>(null);
  const busy = useSignal(false);
  const { workflowId, runId } = record;
  const isOver = record.status === 'completed' || record.status === 'failed';
  const canResume =
    record.status === 'paused'
      ? record.waits.some((wait) => wait.for === 'resume')
      : record.status === 'failed' && record.cancelled !== true;
  const act = (did: string, action: () => Promise<unknown>) => async (): Promise<void> => {
    busy.value = true;
    try {
      await action();
      toast(did);
    } catch (error) {
      toast(<PlainText text={faultSentence(error)} />, { isBad: true });
    } finally {
      busy.value = false;
      model.follow();
    }
  };
  const steer = (what: Steering, did: string) => act(did, () => steered(what, record));
  const again = act('Started again.', async () => {
    const input = await runInput(client.value, record);
    const { runId: started } = await client.value.startWorkflow(workflowId, input);
    go('run', { workflow: workflowId, run: started });
  });
  const close = (): void => void (open.value = null);
  return (
    <div class="row run-actions">
      {canResume ? (
        <PermittedButton
          permission="run:steer"
          class="primary"
          isBusy={busy.value}
          onClick={() => void steer('resume', 'Resumed.')()}
        >
          {record.status === 'failed' ? 'Try again' : 'Resume'}
        </PermittedButton>
      ) : null}
      {record.compensation?.status === 'failed' && isOver ? (
        <PermittedButton
          permission="run:steer"
          isBusy={busy.value}
          onClick={() => void steer('compensate', 'What could not be undone is tried again.')()}
        >
          Undo again
        </PermittedButton>
      ) : null}
      {isOver ? null : (
        <>
          <PermittedButton
            permission="run:steer"
            isBusy={busy.value}
            onClick={() => void steer('pause', 'Paused.')()}
          >
            Pause
          </PermittedButton>
          <PermittedButton
            permission="run:steer"
            class="danger"
            isBusy={busy.value}
            onClick={() => void steer('cancel', 'Cancelled.')()}
          >
            Cancel
          </PermittedButton>
        </>
      )}
      <PermittedButton permission="run:fork" onClick={() => (open.value = 'fork')}>
        Fork
      </PermittedButton>
      <PermittedButton permission="run:steer" onClick={() => (open.value = 'rewind')}>
        Rewind
      </PermittedButton>
      <PermittedButton permission="run:start" isBusy={busy.value} onClick={() => void again()}>
        Again
      </PermittedButton>
      <PermittedButton permission="run:start" isBusy={busy.value} onClick={() => (open.value = 'again')}>
        Again with changes
      </PermittedButton>
      <button type="button" onClick={() => (open.value = 'compare')}>
        Compare
      </button>
      <PermittedButton
        permission="run:export"
        isBusy={busy.value}
        onClick={() => void act('Exported.', () => exported(record))()}
      >
        Export
      </PermittedButton>
      <button type="button" class="quiet" onClick={() => (open.value = 'code')}>
        From code
      </button>
      {open.value === 'again' ? <AgainDialog workflowId={workflowId} runId={runId} onClose={close} /> : null}
      {open.value === 'fork' ? (
        <ForkDialog model={model} picture={picture} before={selected} onClose={close} />
      ) : null}
      {open.value === 'rewind' ? (
        <RewindDialog
          workflowId={workflowId}
          runId={runId}
          picture={picture}
          onClose={close}
          onDone={() => model.follow()}
        />
      ) : null}
      {open.value === 'code' ? <RunCodeDialog record={record} onClose={close} /> : null}
      {open.value === 'compare' ? (
        <CompareDialog record={record} forkedFrom={picture.forkedFrom?.runId ?? ''} onClose={close} />
      ) : null}
    </div>
  );
}

function steered(what: Steering, { workflowId, runId }: FullRunRecord): Promise<unknown> {
  if (what === 'resume') return client.value.resume(workflowId, runId, undefined, { syncUntil: 'recorded' });
  const name = actingAs();
  return client.value[what](workflowId, runId, name === null || name === '' ? {} : { by: name });
}

async function exported({ workflowId, runId }: FullRunRecord): Promise<void> {
  let lines = '';
  for await (const line of client.value.exportRun(workflowId, runId)) lines += line;
  save(`${runId}.ndjson`, lines);
}

/** The input of the events that are shown may be cut: it is read whole. */
function RunCodeDialog({
  record,
  onClose,
}: {
  readonly record: FullRunRecord;
  readonly onClose: () => void;
}) {
  const { workflowId, runId } = record;
  const { value: input = {} } = useReading(`input ${runId}`, (signal) =>
    runInput(client.value, { workflowId, runId }, signal),
  ).value;
  return <CodeDialog acts={actsOn(record, input)} onClose={onClose} />;
}

/** What a program would ask of this run. */
function actsOn({ workflowId, runId }: FullRunRecord, input: JsonObject): Readonly<Record<string, Act>> {
  const run = { workflowId, runId };
  return {
    'Read this run': { kind: 'read', ...run },
    'Start it again': { kind: 'start', workflowId, input },
    'Fork it from the start': { kind: 'fork', ...run },
    'Watch what it does': { kind: 'watch', ...run },
  };
}

function CompareDialog({
  record,
  forkedFrom,
  onClose,
}: {
  readonly record: FullRunRecord;
  readonly forkedFrom: string;
  readonly onClose: () => void;
}) {
  const other = useSignal(forkedFrom);
  const compare = (event: Event): void => {
    event.preventDefault();
    onClose();
    go('run', {
      workflow: record.workflowId,
      run: record.runId,
      compare: other.value.trim(),
      tab: 'compare',
    });
  };
  return (
    <Dialog title="Compare with another run" onClose={onClose}>
      <form class="stack" onSubmit={compare}>
        <label class="field">
          <span>Id of the other run</span>
          <input
            class="mono"
            required
            value={other.value}
            onInput={({ currentTarget }) => (other.value = currentTarget.value)}
          />
          <span class="hint">
            {forkedFrom === '' ? 'A run of the same workflow.' : 'The run that this one was forked from.'}
          </span>
        </label>
        <div class="dialog-foot">
          <button type="submit" class="primary">
            Compare
          </button>
        </div>
      </form>
    </Dialog>
  );
}
