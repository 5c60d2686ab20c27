import { Fault } from '../../ui/fault.js';
import { useSignal } from '@preact/signals';
import { FlowgateApiError, type JsonObject, type WorkflowVersionDetails } from 'flowgate-client/remote';
import { client } from '../../api/service.js';
import { go } from '../../app/router.js';
import { PermittedButton } from '../../identity/permitted.js';
import { Dialog } from '../../ui/dialog.js';
import { Trouble } from '../../ui/trouble.js';
import { textsOf } from '../form/filled-form.js';
import { faultsByField, formOf, valueOf } from '../form/schema-form.js';
import { FormFields } from './form-fields.js';
import { readInput } from './json-fault.js';

interface Props {
  readonly workflow: WorkflowVersionDetails;
  /** What it holds at first: of a run that is begun again. */
  readonly input?: JsonObject;
  readonly onClose: () => void;
}

const NO_FAULTS: ReadonlyMap<string, string> = new Map();

/** Starts a run: by a form of what the workflow asks for, or by JSON. What the service refuses stands at its field. */
export function StartDialog({ workflow, input: first = {}, onClose }: Props) {
  const form = formOf(workflow.inputSchema);
  const filled =
    Object.keys(first).length === 0 || form === null ? new Map<string, string>() : textsOf(form, first);
  const isJson = useSignal(form === null || filled === null);
  const texts = useSignal<ReadonlyMap<string, string>>(filled ?? new Map());
  const json = useSignal(JSON.stringify(first, null, 2));
  const faults = useSignal(NO_FAULTS);
  const trouble = useSignal<Error | null>(null);
  const isBusy = useSignal(false);

  const input = (): JsonObject | null => {
    if (isJson.value || form === null) {
      const read = readInput(json.value);
      faults.value = read.ok ? NO_FAULTS : new Map([['', read.fault]]);
      return read.ok ? read.value : null;
    }
    const read = valueOf(form, texts.value);
    faults.value = read.ok ? NO_FAULTS : read.faults;
    return read.ok ? read.value : null;
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    trouble.value = null;
    const given = input();
    if (given === null || isBusy.value) return;
    isBusy.value = true;
    try {
      const { workflowId, runId } = await client.value.startWorkflow(workflow.workflowId, given);
      onClose();
      go('run', { workflow: workflowId, run: runId });
    } catch (error) {
      const details = error instanceof FlowgateApiError ? detailsOf(error) : [];
      if (details.length > 0 && form !== null && !isJson.value) faults.value = faultsByField(form, details);
      else trouble.value = error as Error;
    } finally {
      isBusy.value = false;
    }
  };
  const toJson = (): void => {
    if (!isJson.value && form !== null) {
      const read = valueOf(form, texts.value);
      if (read.ok) json.value = JSON.stringify(read.value, null, 2);
    }
    faults.value = NO_FAULTS;
    isJson.value = !isJson.value;
  };
  const general = faults.value.get('');
  return (
    <Dialog title={`Start ${workflow.workflowId}`} onClose={onClose}>
      <form class="stack" noValidate onSubmit={(event) => void submit(event)}>
        {isJson.value || form === null ? (
          <label class="field">
            <span>Input, as JSON</span>
            <textarea
              class="code"
              rows={10}
              spellcheck={false}
              value={json.value}
              aria-invalid={general !== undefined}
              onInput={(event) => (json.value = event.currentTarget.value)}
            />
          </label>
        ) : (
          <FormFields
            form={form}
            texts={texts.value}
            faults={faults.value}
            onText={(pointer, text) => (texts.value = new Map(texts.value).set(pointer, text))}
          />
        )}
        <Fault text={general ?? null} />
        <Trouble error={trouble.value} />
        <div class="row spread">
          {form === null ? (
            <span />
          ) : (
            <button type="button" class="quiet" onClick={toJson}>
              {isJson.value ? 'As a form' : 'As JSON'}
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
