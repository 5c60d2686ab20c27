import { Fault } from '../../ui/fault.js';
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { FlowgateApiError, type JsonObject, type WorkflowVersionDetails } from 'flowgate-client/remote';
import { client } from '../../api/service.js';
import { go } from '../../app/router.js';
import { PermittedButton } from '../../identity/permitted.js';
import { Dialog } from '../../ui/dialog.js';
import { Trouble } from '../../ui/trouble.js';
import { faultsByField, formOf } from '../form/schema-form.js';
import { FormFields } from './form-fields.js';
import { beginInput, inputOf, switchView } from './written-input.js';

interface Props {
  readonly workflow: WorkflowVersionDetails;
  /** What it holds at first: of a run that is begun again. */
  readonly input?: JsonObject;
  readonly onClose: () => void;
}

const NO_FAULTS: ReadonlyMap<string, string> = new Map();

/** Starts a run: by a form of what the workflow asks for, or by JSON. What the service refuses stands at its field. */
export function StartDialog({ workflow, input: first = {}, onClose }: Props) {
  const form = useMemo(() => formOf(workflow.inputSchema), [workflow]);
  const written = useSignal(useMemo(() => beginInput(form, first), []));
  const faults = useSignal(NO_FAULTS);
  const trouble = useSignal<Error | null>(null);
  const isBusy = useSignal(false);

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    trouble.value = null;
    const given = inputOf(form, written.value);
    faults.value = given.ok ? NO_FAULTS : given.faults;
    if (!given.ok || isBusy.value) return;
    isBusy.value = true;
    try {
      const { workflowId, runId } = await client.value.startWorkflow(workflow.workflowId, given.value);
      onClose();
      go('run', { workflow: workflowId, run: runId });
    } catch (error) {
      const details = error instanceof FlowgateApiError ? detailsOf(error) : [];
      if (details.length > 0 && form !== null && !written.value.isJson)
        faults.value = faultsByField(form, details);
      else trouble.value = error as Error;
    } finally {
      isBusy.value = false;
    }
  };
  const toOtherView = (): void => {
    if (form === null) return;
    const switched = switchView(form, written.value);
    faults.value = switched.ok ? NO_FAULTS : switched.faults;
    if (switched.ok) written.value = switched.written;
  };
  const { isJson, texts, json } = written.value;
  const general = faults.value.get('');
  return (
    <Dialog title={`Start ${workflow.workflowId}`} onClose={onClose}>
      <form class="stack" noValidate onSubmit={(event) => void submit(event)}>
        {isJson || form === null ? (
          <label class="field">
            <span>Input, as JSON</span>
            <textarea
              class="code"
              rows={10}
              spellcheck={false}
              value={json}
              aria-invalid={general !== undefined}
              onInput={(event) => (written.value = { ...written.value, json: event.currentTarget.value })}
            />
          </label>
        ) : (
          <FormFields
            form={form}
            texts={texts}
            faults={faults.value}
            onText={(pointer, text) =>
              (written.value = { ...written.value, texts: new Map(written.value.texts).set(pointer, text) })
            }
          />
        )}
        <Fault text={general ?? null} />
        <Trouble error={trouble.value} />
        <div class="row spread">
          {form === null ? (
            <span />
          ) : (
            <button type="button" class="quiet" onClick={toOtherView}>
              {isJson ? 'As a form' : 'As JSON'}
            </button>
          )}
          <PermittedButton permission="run:start" type="submit" class="primary" isBusy={isBusy.value}>
            Start
          </PermittedButton>
        </div>
      </form>
    </Dialog>
  );
}

function detailsOf({
  details,
}: FlowgateApiError): readonly { readonly path: string; readonly message: string }[] {
  return details.filter(
    (detail): detail is { readonly path: string; readonly message: string } =>
      typeof detail['path'] === 'string' && typeof detail['message'] === 'string',
  );
}
