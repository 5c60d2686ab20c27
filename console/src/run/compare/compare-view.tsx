import type { JsonValue } from 'flowgate-client/remote';
import { useReading } from '../../api/reading.js';
import { client } from '../../api/service.js';
import { href } from '../../app/router.js';
import { StateMark } from '../../ui/state/state-mark.js';
import { PlainText } from '../../ui/text/plain-text.js';
import { Trouble } from '../../ui/trouble.js';
import { JsonView } from '../../ui/values/json-view.js';
import { loadLog } from '../live/run-log.js';
import { compareRuns, type ComparedCall, type Difference } from '../log/compare-runs.js';
import { RunFold } from '../log/fold-events.js';
import type { Execution, RunPicture } from '../log/picture.js';

/** What is shown at once: runs that differ in more are told so. */
const MOST_ROWS = 200;

interface Props {
  readonly workflowId: string;
  readonly runId: string;
  readonly picture: RunPicture;
  readonly otherId: string;
}

/** Two runs, call by call: the other one at the left, since it was there first. */
export function CompareView({ workflowId, runId, picture, otherId }: Props) {
  const { value: other, error } = useReading(`compare ${workflowId} ${otherId}`, async (signal) => {
    const { events, inherited } = await loadLog(client.value, { workflowId, runId: otherId }, signal);
    const fold = new RunFold();
    fold.take([...inherited, ...events]);
    return fold.picture;
  }).value;
  if (other === undefined)
    return error === undefined ? <p class="muted">Loading…</p> : <Trouble error={error} />;
  const { calls, partsAt } = compareRuns(other, picture);
  const parting = partsAt === null ? undefined : calls[partsAt];
  const differing = calls.filter(({ differs }) => differs.length > 0);
  return (
    <div class="stack">
      <p>
        {parting === undefined ? (
          'These runs did the same, with the same.'
        ) : (
          <>
            They part at{' '}
            <code>
              <PlainText text={parting.unitId} />
            </code>
            : {WORDS[parting.differs[0] ?? 'state']}.
          </>
        )}
      </p>
      <div class="table">
        <table class="compare">
          <thead>
            <tr>
              <th>Unit</th>
              <th>
                <a href={href('run', { workflow: workflowId, run: otherId })}>…{otherId.slice(-8)}</a>
              </th>
              <th>…{runId.slice(-8)} (this one)</th>
            </tr>
          </thead>
          <tbody>
            {differing.slice(0, MOST_ROWS).map((call) => (
              <tr
                key={`${call.scope}>${call.path} ${(call.left ?? call.right)?.id}`}
                class={call === parting ? 'chosen' : ''}
              >
                <th scope="row">
                  <PlainText text={call.unitId} />
                  <div class="small muted">{call.differs.map((one) => WORDS[one]).join(', ')}</div>
                </th>
                <td>
                  <Side call={call} execution={call.left} />
                </td>
                <td>
                  <Side call={call} execution={call.right} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="muted">
        {calls.length - differing.length} of {calls.length} calls are the same
        {differing.length > MOST_ROWS ? `; ${differing.length - MOST_ROWS} more differ` : ''}.
      </p>
    </div>
  );
}

const WORDS: Readonly<Record<Difference, string>> = {
  'only left': 'only the other run came here',
  'only right': 'only this run came here',
  input: 'it was given something else',
  output: 'it gave something else',
  state: 'it came to another end',
  decision: 'it was decided otherwise',
  error: 'it failed otherwise',
};

function Side({ call, execution }: { readonly call: ComparedCall; readonly execution: Execution | null }) {
  if (execution === null) return null;
  const values: readonly (readonly [string, JsonValue | undefined])[] = [
    ['Given', call.differs.includes('input') ? (execution.input ?? null) : undefined],
    ['Gave', call.differs.includes('output') ? execution.output : undefined],
  ];
  return (
    <div class="stack tight">
      <StateMark state={execution.state} />
      {execution.error === null ? null : (
        <span class="state-failed">
          <PlainText text={execution.error} />
        </span>
      )}
      {values.map(([name, value]) =>
        value === undefined ? null : (
          <div key={name}>
            <h3>{name}</h3>
            <JsonView value={value} />
          </div>
        ),
      )}
    </div>
  );
}
