import { useSignal } from '@preact/signals';
import type { WorkflowVersionDetails } from 'flowgate-client/remote';
import { client } from '../api/service.js';
import { useReading } from '../api/reading.js';
import { has } from '../api/settings.js';
import { here, href } from '../app/router.js';
import { PermittedButton } from '../identity/permitted.js';
import { doorTo } from '../ui/door.js';
import { Tabs } from '../ui/tabs.js';
import { instantText } from '../ui/text/instants.js';
import { PlainText } from '../ui/text/plain-text.js';
import { Trouble } from '../ui/trouble.js';
import { DefinitionDiagram } from './definition-diagram.js';
import { YamlText } from './text/yaml-text.js';
import { Versions } from './versions.js';
import { WorkflowRuns } from './workflow-runs.js';

const StartDialog = doorTo(async () => (await import('./start/start-dialog.js')).StartDialog);

const SHOWN_HASH = 12;

/** One workflow: its document, its runs, its versions, and the way to start it. */
export function WorkflowScreen() {
  const { workflow = '', hash = '', tab = 'document' } = here.value.query;
  const isStarting = useSignal(false);
  const {
    value: version,
    error,
    again,
  } = useReading(`workflow ${workflow} ${hash}`, (signal) =>
    client.value.getWorkflow(workflow, { hash: hash === '' ? undefined : hash, signal }),
  ).value;
  return (
    <>
      <div class="head">
        <h1>
          <PlainText text={workflow} />
        </h1>
        <div class="row">
          {has('registration') ? (
            <a class="button" href={href('new-workflow', { workflow, hash })}>
              {version?.current === false ? 'Register again' : 'Edit'}
            </a>
          ) : null}
          <PermittedButton
            permission="run:start"
            class="primary"
            isBusy={version === undefined || !version.current}
            onClick={() => (isStarting.value = true)}
          >
            Start
          </PermittedButton>
        </div>
      </div>
      <div class="stack">
        {version === undefined || version.description === null ? null : (
          <p class="muted">
            <PlainText text={version.description} />
          </p>
        )}
        <Tabs
          label="Of this workflow"
          tabs={[
            ['document', 'Document'],
            ['diagram', 'Diagram'],
            ['runs', 'Runs'],
            ['versions', 'Versions'],
          ]}
          current={tab}
        />
        <Trouble error={error} onAgain={again} />
        {tab === 'runs' ? <WorkflowRuns key={workflow} workflowId={workflow} /> : null}
        {tab === 'versions' ? <Versions workflowId={workflow} /> : null}
        {tab === 'diagram' && version !== undefined ? (
          <DefinitionDiagram key={version.definitionHash} yaml={version.yaml} />
        ) : null}
        {tab === 'document' && version !== undefined ? <Document version={version} /> : null}
      </div>
      {isStarting.value && version !== undefined ? (
        <StartDialog workflow={version} onClose={() => (isStarting.value = false)} />
      ) : null}
    </>
  );
}

function Document({ version }: { readonly version: WorkflowVersionDetails }) {
  const { definitionHash, registeredAt, current, units, bindings, yaml } = version;
  return (
    <div class="columns">
      <YamlText text={yaml} label="The document" />
      <aside class="panel stack" aria-label="About this version">
        <dl class="facts">
          <dt>Version</dt>
          <dd class="mono">{definitionHash.slice(0, SHOWN_HASH)}</dd>
          <dt>Registered</dt>
          <dd>{instantText(registeredAt)}</dd>
          <dt>Units</dt>
          <dd>{units.length}</dd>
          <dt>Starts from it</dt>
          <dd>{current ? 'yes' : 'no, another is registered'}</dd>
        </dl>
        {bindings.length === 0 ? null : (
          <div>
            <h3>Bindings</h3>
            <dl class="facts">
              {bindings.map(({ uses, origin }) => (
                <>
                  <dt>
                    <PlainText text={uses} />
                  </dt>
                  <dd>
                    <PlainText text={origin} />
                  </dd>
                </>
              ))}
            </dl>
          </div>
        )}
      </aside>
    </div>
  );
}
