import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import {
  FlowgateApiError,
  type DocumentFault,
  type UsesBindings,
  type WorkflowCheck,
} from 'flowgate-client/remote';
import { client } from '../api/service.js';
import { here, href, go } from '../app/router.js';
import { kept, keep } from '../identity/kept.js';
import { PermittedButton } from '../identity/permitted.js';
import { toast } from '../ui/toasts.js';
import { PlainText } from '../ui/text/plain-text.js';
import { Trouble } from '../ui/trouble.js';
import { FaultList } from './fault-list.js';
import { readInput } from './start/json-fault.js';

const DRAFT = 'draft';
/** As the service takes it. */
const MOST_BYTES = 2 * 1024 * 1024;

const FIRST_TEXT = `apiVersion: flowgate/v1
kind: Workflow
metadata:
  id: hello
spec:
  input:
    type: object
    required: [name]
    properties:
      name: { type: string, description: Who is greeted }
  units:
    - id: greet
      uses: builtin.mock
      config: { response: 'Hello, \${{ input.name }}!' }
  flow:
    type: sequential
    order: [greet]
`;

/** A workflow as text: checked by the service, and registered. */
export function NewWorkflowScreen() {
  const { workflow = '', hash = '' } = here.value.query;
  const draft = `${DRAFT}.${workflow}`;
  const text = useSignal(kept(draft) ?? (workflow === '' ? FIRST_TEXT : ''));
  const bindings = useSignal('');
  const check = useSignal<WorkflowCheck | null>(null);
  const trouble = useSignal<Error | null>(null);
  const isBusy = useSignal(false);
  const area = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    if (workflow === '' || text.value !== '') return;
    client.value.getWorkflow(workflow, { hash: hash === '' ? undefined : hash }).then(
      ({ yaml }) => (text.value = yaml),
      (error: unknown) => (trouble.value = error as Error),
    );
  }, [workflow, hash]);

  const change = (next: string): void => {
    text.value = next;
    check.value = null;
    keep(draft, next);
  };
  const withBindings = async (act: (given: UsesBindings | undefined) => Promise<void>): Promise<void> => {
    const read = readInput(bindings.value);
    trouble.value = read.ok ? null : new Error(`Bindings: ${read.fault}`);
    if (!read.ok || isBusy.value) return;
    isBusy.value = true;
    try {
      await act(bindings.value.trim() === '' ? undefined : (read.value as unknown as UsesBindings));
    } catch (error) {
      const faults = error instanceof FlowgateApiError ? faultsOf(error) : [];
      if (faults.length > 0) check.value = { ok: false, details: faults, warnings: [] };
      else trouble.value = error as Error;
    } finally {
      isBusy.value = false;
    }
  };
  const onCheck = (): Promise<void> =>
    withBindings(async (given) => {
      check.value = await client.value.validateOnService(text.value, given);
    });
  const onRegister = (): Promise<void> =>
    withBindings(async (given) => {
      const { workflowId } = await client.value.loadAndRegister(text.value, given);
      keep(draft, null);
      toast(
        <>
          <PlainText text={workflowId} /> is registered.
        </>,
      );
      go('workflow', { workflow: workflowId });
    });
  const onFile = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > MOST_BYTES) {
      trouble.value = new Error('The file has more than 2 MiB, which no workflow may have.');
      return;
    }
    change(await file.text());
  };
  return (
    <>
      <div class="head">
        <h1>
          {workflow === '' ? (
            'New workflow'
          ) : (
            <>
              Register <PlainText text={workflow} /> again
            </>
          )}
        </h1>
        <div class="row">
          <label class="button">
            Open a file
            <input
              type="file"
              class="unseen"
              accept=".yaml,.yml,.json,application/yaml"
              onChange={(event) => void onFile(event.currentTarget.files?.[0])}
            />
          </label>
          <button type="button" disabled={isBusy.value} onClick={() => void onCheck()}>
            Check
          </button>
          <PermittedButton
            permission="workflow:register"
            class="primary"
            isBusy={isBusy.value}
            onClick={() => void onRegister()}
          >
            Register
          </PermittedButton>
        </div>
      </div>
      <div class="stack">
        <Trouble error={trouble.value} />
        {check.value === null ? null : (
          <FaultList check={check.value} onGo={(fault) => select(area.current, fault)} />
        )}
        <label class="field">
          <span>Document, as YAML</span>
          <textarea
            ref={area}
            class="code document"
            rows={28}
            spellcheck={false}
            autocapitalize="off"
            value={text.value}
            aria-invalid={check.value?.ok === false}
            onInput={(event) => change(event.currentTarget.value)}
          />
        </label>
        <details class="more">
          <summary>Bindings: which endpoint answers for which “uses”</summary>
          <label class="field">
            <span>As JSON</span>
            <textarea
              class="code"
              spellcheck={false}
              placeholder={'{ "acme.pay": { "type": "http", "endpoint": "https://units.example.com/pay" } }'}
              value={bindings.value}
              onInput={(event) => (bindings.value = event.currentTarget.value)}
            />
          </label>
        </details>
        <p class="muted small">
          The text is kept as a draft of this tab until it is registered.{' '}
          <a href={href('workflows')}>Back to the workflows</a>
        </p>
      </div>
    </>
  );
}

function faultsOf({ details }: FlowgateApiError): readonly DocumentFault[] {
  return details.filter(
    (detail): detail is DocumentFault & typeof detail => typeof detail['message'] === 'string',
  );
}

/** Puts the cursor at the fault. */
function select(area: HTMLTextAreaElement | null, { line, column }: DocumentFault): void {
  if (area === null || line === null) return;
  const lines = area.value.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const at = start + Math.max(0, (column ?? 1) - 1);
  area.focus();
  area.setSelectionRange(at, start + (lines[line - 1]?.length ?? 0));
  const lineHeight = area.scrollHeight / Math.max(1, lines.length);
  area.scrollTop = Math.max(0, (line - 4) * lineHeight);
}
