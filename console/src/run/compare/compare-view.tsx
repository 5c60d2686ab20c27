import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { useReading } from '../../api/reading.js';
import { client } from '../../api/service.js';
import { href } from '../../app/router.js';
import { StateMark } from '../../ui/state/state-mark.js';
import { PlainText } from '../../ui/text/plain-text.js';
import { Trouble } from '../../ui/trouble.js';
import { factsOfCall, isThere, type ValuePlace } from '../inspector/facts-of-call.js';
import { WholeValue } from '../inspector/whole-value.js';
import { loadLog, type LoadedLog } from '../live/run-log.js';
import { RunFold } from '../log/fold-events.js';
import type { Execution } from '../log/picture.js';
import { compareRuns, type ComparedCall, type Difference, type ReadRun } from './compare-runs.js';
import { LeftOut } from './left-out.js';

/** What is shown at once: runs that differ in more are told so. */
const MOST_ROWS = 200;

/** Of a long run the newest events alone. */
type NewestOfRun = ReadRun & Pick<LoadedLog, 'firstSeq' | 'inherited'>;

interface Props {
  readonly workflowId: string;
  readonly runId: string;
  readonly run: NewestOfRun;
  readonly otherId: string;
}

/** Two runs, call by call: the other one at the left, since it was there first. */
export function CompareView({ workflowId, runId, run, otherId }: Props) {
  const { value: other, error } = useReading(`compare ${workflowId} ${otherId}`, async (signal) => {
    const log = await loadLog(client.value, { workflowId, runId: otherId }, signal);
    const fold = new RunFold();
    fold.take([...log.inherited, ...log.events]);
    return { ...log, picture: fold.picture };
  }).value;
  if (other === undefined)
    return error === undefined ? <p class="muted">Loading…</p> : <Trouble error={error} />;
  return <Compared {...{ workflowId, runId, run, otherId, other }} />;
}

function Compared({ workflowId, runId, run, otherId, other }: Props & { readonly other: NewestOfRun }) {
  /** Which values that the logs left out are the same: those that were read whole. */
  const whole = useSignal<ReadonlyMap<string, boolean>>(new Map());
  const { calls, partsAt } = useMemo(
    () => compareRuns(other, run, whole.value),
    [other, run.picture, run.events, whole.value],
  );
  const parting = partsAt === null ? undefined : calls[partsAt];
  const differing = calls.filter(({ differs }) => differs.length > 0);
  const unread = unreadOf(other, run);
  const leftOut = calls.filter(({ differs, mayDiffer }) => differs.length === 0 && mayDiffer.length > 0);
  return (
    <div class="stack">
      <p>
        {parting === undefined ? (
          leftOut.length === 0 && unread === '' ? (
            'These runs did the same, with the same.'
          ) : (
            'These runs did the same, as far as their logs tell.'
          )
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
      {unread === '' ? null : <p class="notice">The oldest events are not compared: {unread}.</p>}
      <LeftOut calls={leftOut} whole={whole} />
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
                  <Side call={call} run={other} execution={call.left} />
                </td>
                <td>
                  <Side call={call} run={run} execution={call.right} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="muted">
        {calls.length - differing.length - leftOut.length} of {calls.length} calls are the same
        {leftOut.length === 0 ? '' : `; ${leftOut.length} may differ`}
        {differing.length > MOST_ROWS ? `; ${differing.length - MOST_ROWS} more differ` : ''}.
      </p>
    </div>
  );
}

/** How many events of both runs were not read; the empty text: all were. */
function unreadOf(other: NewestOfRun, run: NewestOfRun): string {
  const counts = [
    { count: countUnread(other), of: 'the other run' },
    { count: countUnread(run), of: 'this one' },
  ];
  return counts
    .filter(({ count }) => count > 0)
    .map(({ count, of }) => `${count.toLocaleString()} of ${of}`)
    .join(' and ');
}

/** A log is read back from its end, and so is what a fork inherited. */
function countUnread({ firstSeq, inherited }: NewestOfRun): number {
  const [firstInherited] = inherited;
  return (firstSeq ?? 1) - 1 + (firstInherited?.originSeq ?? 1) - 1;
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

interface SideProps {
  readonly call: ComparedCall;
  readonly run: ReadRun;
  readonly execution: Execution | null;
}

function Side({ call: { differs }, run, execution }: SideProps) {
  if (execution === null) return null;
  const { given, ended } = factsOfCall(run, execution);
  const gave = execution.state === 'completed' && differs.includes('output') ? ended : null;
  const values: readonly (readonly [string, ValuePlace | null])[] = [
    ['Given', differs.includes('input') ? given : null],
    ['Gave', gave],
    ['Wrote', gave === null ? null : { ...gave, field: execution.kind === 'set' ? 'values' : 'patch' }],
  ];
  return (
    <div class="stack tight">
      <StateMark state={execution.state} />
      {execution.error === null ? null : (
        <span class="state-failed">
          <PlainText text={execution.error} />
        </span>
      )}
      {values.map(([name, place]) =>
        place === null || !isThere(place) ? null : (
          <div key={name}>
            <h3>{name}</h3>
            <WholeValue
              key={`${place.event.runId} ${place.event.seq}`}
              name={execution.unitId}
              place={place}
            />
          </div>
        ),
      )}
    </div>
  );
}
