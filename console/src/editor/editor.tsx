import { useEffect, useMemo } from 'preact/hooks';
import { go, here, href, refine } from '../app/router.js';
import { PermittedButton } from '../identity/permitted.js';
import { doorTo } from '../ui/door.js';
import { isNarrow } from '../ui/narrow.js';
import { PlainText } from '../ui/text/plain-text.js';
import { Ago } from '../ui/text/instants.js';
import { toast } from '../ui/toasts.js';
import { Trouble } from '../ui/trouble.js';
import { ChangesPane } from './changes/changes-pane.js';
import { CodeEditor } from './code/code-editor.js';
import { DiagramPane } from './diagram/diagram-pane.js';
import { EditorModel, type Beginning } from './editor-model.js';
import { FaultPanel } from './fault-panel.js';
import { START_TEXT } from './start-text.js';

const StartDialog = doorTo(async () => (await import('../workflows/start/start-dialog.js')).StartDialog);

/** As the service takes it. */
const MOST_BYTES = 2 * 1_024 * 1_024;

/** The text, its faults, and next to it the diagram or the changes; on a narrow screen one of them. */
export function Editor({ beginning }: { readonly beginning: Beginning }) {
  const model = useMemo(() => new EditorModel(beginning, registered), []);
  useEffect(() => model.begin(), [model]);
  return (
    <div class="editor">
      <Head model={model} workflowId={beginning.of.workflowId} />
      <Trouble error={model.trouble.value} />
      <DraftNote model={model} beginning={beginning} />
      <Panes model={model} />
      {model.starting.value === null ? null : (
        <StartDialog workflow={model.starting.value} onClose={() => (model.starting.value = null)} />
      )}
    </div>
  );
}

function registered(workflowId: string): void {
  toast(
    <>
      <PlainText text={workflowId} /> is registered.
    </>,
  );
  go('workflow', { workflow: workflowId });
}

interface ModelProps {
  readonly model: EditorModel;
}

function Head({ model, workflowId }: ModelProps & { readonly workflowId: string }) {
  const onFile = async (input: HTMLInputElement): Promise<void> => {
    const file = input.files?.[0];
    if (file === undefined) return;
    if (file.size > MOST_BYTES)
      model.trouble.value = new Error('The file has more than 2 MiB, which no workflow may have.');
    else model.replace(await file.text());
    input.value = '';
  };
  return (
    <div class="head">
      <h1>
        {workflowId === '' ? (
          'New workflow'
        ) : (
          <a href={href('workflow', { workflow: workflowId })}>
            <PlainText text={workflowId} />
          </a>
        )}
      </h1>
      <div class="row">
        <label class="button">
          Open a file
          <input
            type="file"
            class="unseen"
            accept=".yaml,.yml,.json,application/yaml"
            onChange={(event) => void onFile(event.currentTarget)}
          />
        </label>
        <PermittedButton
          permission="run:start"
          isBusy={model.isBusy.value}
          onClick={() => void model.start()}
          aria-keyshortcuts="Control+Enter"
        >
          Start
        </PermittedButton>
        <PermittedButton
          permission="workflow:register"
          class="primary"
          isBusy={model.isBusy.value}
          onClick={() => void model.register()}
          aria-keyshortcuts="Control+S"
        >
          Register
        </PermittedButton>
      </div>
    </div>
  );
}

function DraftNote({ model, beginning }: ModelProps & { readonly beginning: Beginning }) {
  const { draft, registered: version } = beginning;
  const foreign = model.draft.foreign.value;
  if (foreign !== null)
    return (
      <div class="notice" role="status">
        <p>
          Another tab of this browser keeps a newer draft, written <Ago at={foreign.savedAt} />. Until you
          choose, this text is in this page alone.
        </p>
        <button type="button" onClick={() => model.take(foreign)}>
          Take that draft
        </button>
        <button type="button" onClick={() => model.draft.keepInsteadOf(foreign)}>
          Keep this text
        </button>
      </div>
    );
  if (!model.draft.isKept.value)
    return <p class="notice">This browser has no room for the draft: it is gone with the page.</p>;
  if (draft === null) return null;
  const isOfOther = version !== null && draft.base !== null && draft.base !== version.definitionHash;
  return (
    <div class="notice">
      <p>
        This is a draft of this browser, written <Ago at={draft.savedAt} />.
        {isOfOther ? ' It began from another version than the one that is shown as registered.' : ''}
      </p>
      <button type="button" onClick={() => model.discard(version?.yaml ?? START_TEXT)}>
        Discard the draft
      </button>
    </div>
  );
}

const PANES = { text: 'Text', diagram: 'Diagram', changes: 'Changes' } as const;

function Panes({ model }: ModelProps) {
  const { tab: asked = '' } = here.value.query;
  const tab = Object.hasOwn(PANES, asked) ? asked : 'text';
  // Next to the text, which is always there, the diagram comes first.
  const shown = tab === 'text' && !isNarrow.value ? 'diagram' : tab;
  return (
    <div class="editor-panes" data-tab={shown}>
      <nav class="tabs" aria-label="Of the document">
        {Object.entries(PANES).map(([name, title]) => (
          <a
            key={name}
            class={name === 'text' ? 'only-narrow' : ''}
            href={href(here.value.screen, { ...here.value.query, tab: name })}
            aria-current={name === shown ? 'page' : undefined}
            onClick={(event) => (event.preventDefault(), refine({ tab: name }))}
          >
            {title}
          </a>
        ))}
      </nav>
      <section class="editor-text" aria-label="Document">
        <CodeEditor open={model.open} />
        <Description model={model} />
        <FaultPanel model={model} />
        <Bindings model={model} />
      </section>
      <section class="editor-side" aria-label={PANES[shown as keyof typeof PANES]}>
        {shown === 'diagram' ? <DiagramPane model={model} /> : null}
        {shown === 'changes' ? <ChangesPane model={model} /> : null}
      </section>
    </div>
  );
}

/** What hovering says, for whoever writes without a pointer. */
function Description({ model }: ModelProps) {
  const described = model.described.value;
  return (
    <p class="small muted editor-note">
      {described === null ? (
        'Ctrl Space: what can stand here. Escape, then Tab: out of the text.'
      ) : (
        <>
          <code>{described.key}</code> {described.text}
        </>
      )}
    </p>
  );
}

function Bindings({ model }: ModelProps) {
  const { text, fault } = model.bindings;
  const known = model.registered.value?.bindings ?? [];
  // The service says no more of them, so that they cannot be filled in.
  const dropped = text.value.trim() === '' ? known : [];
  return (
    <details class="more">
      <summary>Bindings: which endpoint answers for which “uses”</summary>
      {dropped.length === 0 ? null : (
        <p class="small">
          What is registered calls {dropped.map(({ uses, origin }) => `${uses} at ${origin}`).join(', ')}. A
          new version has the bindings that stand here, and no others.
        </p>
      )}
      <label class="field">
        <span>As JSON</span>
        <textarea
          class="code"
          spellcheck={false}
          placeholder={'{ "acme.pay": { "type": "http", "endpoint": "https://units.example.com/pay" } }'}
          value={text.value}
          aria-invalid={fault.value !== null}
          onInput={(event) => model.writeBindings(event.currentTarget.value)}
        />
        {fault.value === null ? null : (
          <span class="fault" role="alert">
            {fault.value}
          </span>
        )}
      </label>
    </details>
  );
}
