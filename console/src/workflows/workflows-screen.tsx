import { useSignal } from '@preact/signals';
import { client } from '../api/service.js';
import { useReading } from '../api/reading.js';
import { has } from '../api/settings.js';
import { href } from '../app/router.js';
import { Ago } from '../ui/text/instants.js';
import { PlainText } from '../ui/text/plain-text.js';
import { Trouble } from '../ui/trouble.js';
import { SampleButton } from '../welcome/sample-button.js';

const SHOWN_HASH = 8;
const MOST_SHOWN = 500;

/** What can be started. */
export function WorkflowsScreen() {
  const wanted = useSignal('');
  const {
    value: workflows,
    error,
    again,
  } = useReading('workflows', (signal) => client.value.listWorkflows({ signal })).value;
  const words = wanted.value.trim().toLowerCase();
  const found = (workflows ?? []).filter(({ workflowId, description }) =>
    `${workflowId} ${description ?? ''}`.toLowerCase().includes(words),
  );
  return (
    <>
      <div class="head">
        <h1>Workflows</h1>
        {has('registration') ? (
          <a class="button primary" href={href('new-workflow')}>
            New workflow
          </a>
        ) : null}
      </div>
      <Trouble error={error} onAgain={again} />
      {workflows === undefined ? null : workflows.length === 0 ? (
        <div class="empty">
          <h2>No workflow is registered</h2>
          <p>A workflow is a YAML text that says which units run in which order.</p>
          {has('registration') ? (
            <div class="row">
              <SampleButton />
            </div>
          ) : null}
        </div>
      ) : (
        <>
          <div class="filters">
            <label class="field">
              <span>Id or description</span>
              <input
                type="search"
                value={wanted.value}
                onInput={(event) => (wanted.value = event.currentTarget.value)}
              />
            </label>
          </div>
          <div class="table folds">
            <table>
              <thead>
                <tr>
                  <th>Workflow</th>
                  <th>Description</th>
                  <th class="number">Units</th>
                  <th>Version</th>
                  <th>Registered</th>
                </tr>
              </thead>
              <tbody>
                {found
                  .slice(0, MOST_SHOWN)
                  .map(({ workflowId, description, units, definitionHash, registeredAt }) => (
                    <tr key={workflowId}>
                      <td class="id">
                        <a data-step href={href('workflow', { workflow: workflowId })}>
                          <PlainText text={workflowId} />
                        </a>
                      </td>
                      <td class="fill muted">
                        {description === null ? null : <PlainText text={description} />}
                      </td>
                      <td class="id number">
                        {units.length}
                        <span class="only-narrow"> units</span>
                      </td>
                      <td class="id mono muted">{definitionHash.slice(0, SHOWN_HASH)}</td>
                      <td class="id muted">
                        <Ago at={registeredAt} />
                      </td>
                    </tr>
                  ))}
              </tbody>
            </table>
          </div>
          {found.length > MOST_SHOWN ? (
            <p class="muted">
              The first {MOST_SHOWN} of {found.length}: type a part of the id you look for.
            </p>
          ) : null}
        </>
      )}
    </>
  );
}
