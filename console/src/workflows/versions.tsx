import { client } from '../api/service.js';
import { useReading } from '../api/reading.js';
import { here, href } from '../app/router.js';
import { Ago } from '../ui/text/instants.js';
import { PlainText } from '../ui/text/plain-text.js';
import { Trouble } from '../ui/trouble.js';
import { DiffText } from './text/diff-text.js';

const SHOWN_HASH = 12;
const MOST = 100;

/** The versions that are kept, newest first, and what is other in one than in the one before. */
export function Versions({ workflowId }: { readonly workflowId: string }) {
  const {
    value: page,
    error,
    again,
  } = useReading(`versions ${workflowId}`, (signal) =>
    client.value.listVersions(workflowId, { limit: MOST, signal }),
  ).value;
  const { from = '', to = '' } = here.value.query;
  const versions = page?.items ?? [];
  const link = (hash: string, before: string) =>
    href('workflow', { workflow: workflowId, tab: 'versions', from: before, to: hash });
  return (
    <div class="stack">
      <Trouble error={error} onAgain={again} />
      <div class="table folds">
        <table>
          <thead>
            <tr>
              <th>Version</th>
              <th>Registered</th>
              <th>Document</th>
              <th>Against the one before</th>
            </tr>
          </thead>
          <tbody>
            {versions.map(({ definitionHash, registeredAt, current }, index) => {
              const before = versions[index + 1]?.definitionHash;
              return (
                <tr key={definitionHash} class={to === definitionHash ? 'chosen' : ''}>
                  <td class="id">
                    <span class="mono">{definitionHash.slice(0, SHOWN_HASH)}</span>{' '}
                    {current ? <span class="chip">runs start from it</span> : null}
                  </td>
                  <td class="id muted">
                    <Ago at={registeredAt} />
                  </td>
                  <td class="id">
                    <a href={href('workflow', { workflow: workflowId, hash: definitionHash })}>Read</a>
                  </td>
                  <td class="fill">
                    {before === undefined ? (
                      <span class="muted">the oldest that is kept</span>
                    ) : (
                      <a data-step href={link(definitionHash, before)}>
                        What changed
                      </a>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {from === '' || to === '' ? null : <Difference key={`${from} ${to}`} {...{ workflowId, from, to }} />}
    </div>
  );
}

interface DifferenceProps {
  readonly workflowId: string;
  readonly from: string;
  readonly to: string;
}

function Difference({ workflowId, from, to }: DifferenceProps) {
  const {
    value: diff,
    error,
    again,
  } = useReading(`diff ${workflowId} ${from} ${to}`, (signal) =>
    client.value.diffVersions(workflowId, from, to, { signal }),
  ).value;
  if (diff === undefined) return <Trouble error={error} onAgain={again} />;
  const { added, removed, changed } = diff.units;
  const rows = [
    ['Added', added],
    ['Removed', removed],
    ['Changed', changed],
  ] as const;
  return (
    <section class="stack tight" aria-label="What changed">
      <dl class="facts">
        {rows.map(([what, ids]) =>
          ids.length === 0 ? null : (
            <>
              <dt>{what}</dt>
              <dd>
                <PlainText text={ids.join(', ')} />
              </dd>
            </>
          ),
        )}
      </dl>
      <DiffText text={diff.text} />
    </section>
  );
}
