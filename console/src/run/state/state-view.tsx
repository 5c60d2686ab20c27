import { useSignal } from '@preact/signals';
import type { FullRunRecord, JsonObject } from 'flowgate-client/remote';
import { useReading } from '../../api/reading.js';
import { client } from '../../api/service.js';
import { here, refine } from '../../app/router.js';
import { PlainText } from '../../ui/text/plain-text.js';
import { Trouble } from '../../ui/trouble.js';
import { JsonView } from '../../ui/values/json-view.js';
import type { Checkpoint, RunPicture } from '../log/picture.js';
import { keyDifferences, pathsWith } from './json-difference.js';

/** A list of more than so many checkpoints is none that anybody chooses from. */
const MOST_CHOICES = 500;

interface Props {
  readonly record: FullRunRecord;
  readonly picture: RunPicture;
}

/** The shared state, as it is or as it was at a checkpoint, and what differs from another one. */
export function StateView({ record, picture }: Props) {
  const { checkpoint = '', against = '' } = here.value.query;
  const search = useSignal('');
  const shown = useState(record, checkpoint);
  const other = useState(record, against === '' ? 'none' : against);
  const { vars } = picture;
  return (
    <div class="stack">
      <div class="filters">
        <ChooseCheckpoint
          label="State"
          value={checkpoint}
          first="now"
          checkpoints={picture.checkpoints}
          onChoose={(value) => refine({ checkpoint: value })}
        />
        <ChooseCheckpoint
          label="Compared with"
          value={against}
          first="nothing"
          checkpoints={picture.checkpoints}
          onChoose={(value) => refine({ against: value })}
        />
        <label class="field">
          <span>Search by path or text</span>
          <input
            type="search"
            value={search.value}
            onInput={({ currentTarget }) => (search.value = currentTarget.value)}
          />
        </label>
      </div>
      <Trouble error={shown.error ?? other.error} />
      {shown.state === null ? (
        <p class="muted">Loading…</p>
      ) : search.value !== '' ? (
        <Hits state={vars === null ? shown.state : { vars, ...shown.state }} search={search.value} />
      ) : (
        <div class="table">
          <table class="state-table">
            <thead>
              <tr>
                <th>Key</th>
                {other.state === null ? null : <th>Before</th>}
                <th>Value</th>
              </tr>
            </thead>
            <tbody>
              {vars === null ? null : (
                <tr>
                  <th scope="row">vars</th>
                  {other.state === null ? null : <td />}
                  <td>
                    <JsonView value={vars} />
                  </td>
                </tr>
              )}
              {keyDifferences(other.state ?? shown.state, shown.state)
                .filter(({ change }) => other.state === null || change !== 'same')
                .map(({ key, change, before, after }) => (
                  <tr key={key}>
                    <th scope="row">
                      <PlainText text={key} />
                      {change === 'same' ? null : <span class={`small ${change}`}> {change}</span>}
                    </th>
                    {other.state === null ? null : (
                      <td>{before === undefined ? null : <JsonView value={before} />}</td>
                    )}
                    <td>{after === undefined ? null : <JsonView value={after} />}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

/** `''`: as it is now. `none`: nothing is asked for. */
function useState(
  record: FullRunRecord,
  checkpoint: string,
): { readonly state: JsonObject | null; readonly error: Error | undefined } {
  const { workflowId, runId } = record;
  const isRead = checkpoint !== '' && checkpoint !== 'none';
  const { value, error } = useReading(`snapshot ${runId} ${checkpoint}`, async (signal) =>
    isRead
      ? (await client.value.getSnapshot(workflowId, runId, `${runId}.${checkpoint}`, { signal })).state
      : null,
  ).value;
  if (checkpoint === 'none') return { state: null, error: undefined };
  return checkpoint === ''
    ? { state: record.result.state, error: undefined }
    : { state: value ?? null, error };
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly first: string;
  readonly checkpoints: readonly Checkpoint[];
  readonly onChoose: (value: string | undefined) => void;
}

function ChooseCheckpoint({ label, value, first, checkpoints, onChoose }: ChoiceProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value || undefined)}>
        <option value="">{first}</option>
        {checkpoints.slice(-MOST_CHOICES).map(({ seq, after, unitId }) => (
          <option key={seq} value={String(seq)}>
            {seq}: {after.replaceAll('-', ' ')} {unitId}
          </option>
        ))}
      </select>
    </label>
  );
}

function Hits({ state, search }: { readonly state: JsonObject; readonly search: string }) {
  const hits = pathsWith(state, search);
  if (hits.length === 0) return <p class="muted">Nothing of the state has that in its path or its text.</p>;
  return (
    <dl class="facts">
      {hits.map(({ path, value }) => (
        <>
          <dt class="mono">
            <PlainText text={path} />
          </dt>
          <dd class="mono">
            <PlainText text={JSON.stringify(value)} />
          </dd>
        </>
      ))}
    </dl>
  );
}
