import { useSignal } from '@preact/signals';
import type { RunFilter, RunItem } from 'flowgate-client/remote';
import { client } from '../api/service.js';
import { href } from '../app/router.js';
import { stateOfRun } from '../ui/state/run-state.js';
import { StateMark } from '../ui/state/state-mark.js';
import { durationText } from '../ui/text/durations.js';
import { Ago } from '../ui/text/instants.js';
import { PlainText } from '../ui/text/plain-text.js';
import { Trouble } from '../ui/trouble.js';
import { toggled, type Chosen } from './chosen-runs.js';

const PAGE = 50;
/** Ids are long and differ at their end; all of it is in the address. */
const END_OF_ID = 8;

interface Props {
  readonly isRead: boolean;
  readonly runs: readonly RunItem[];
  /** The cursor of what is older than the runs. */
  readonly next: string | null;
  readonly filter: RunFilter;
  /** Absent: nothing can be chosen. */
  readonly chosen?: Chosen;
}

/** Runs as rows, and the older ones page by page. */
export function RunTable({ isRead, runs, next, filter, chosen }: Props) {
  const older = useSignal<{ readonly runs: readonly RunItem[]; readonly next: string | null } | null>(null);
  const trouble = useSignal<Error | null>(null);
  const isReading = useSignal(false);
  const newest = new Set(runs.map(({ runId }) => runId));
  const all = [...runs, ...(older.value?.runs ?? []).filter(({ runId }) => !newest.has(runId))];
  const cursor = older.value === null ? next : older.value.next;
  const more = async (): Promise<void> => {
    // Pressed twice, it is one page.
    if (isReading.peek()) return;
    isReading.value = true;
    trouble.value = null;
    try {
      const page = await client.value.listRuns({ ...filter, limit: PAGE, cursor: cursor ?? undefined });
      older.value = { runs: [...(older.value?.runs ?? []), ...page.items], next: page.next };
    } catch (error) {
      trouble.value = error as Error;
    } finally {
      isReading.value = false;
    }
  };
  if (!isRead) return <p class="muted">Loading…</p>;
  if (all.length === 0) return <NoRuns />;
  return (
    <>
      <div class="table folds">
        <table>
          <thead>
            <tr>
              {chosen === undefined ? null : (
                <th class="choose">
                  <label class="choice">
                    <input
                      type="checkbox"
                      aria-label="Choose all that are shown"
                      checked={all.every(({ runId }) => chosen.value.has(runId))}
                      onChange={() => (chosen.value = toggled(chosen.value, all))}
                    />
                  </label>
                </th>
              )}
              <th>State</th>
              <th>Run</th>
              <th>Workflow</th>
              <th>What it waits for, or failed with</th>
              <th>Begun</th>
              <th class="number">Took</th>
              <th class="number">Tokens</th>
              <th class="number">Cost</th>
            </tr>
          </thead>
          <tbody>
            {all.map((run) => (
              <Row key={run.runId} run={run} {...(chosen === undefined ? {} : { chosen })} />
            ))}
          </tbody>
        </table>
      </div>
      <Trouble error={trouble.value} />
      {cursor === null ? null : (
        <div class="table-foot">
          <button type="button" aria-disabled={isReading.value} onClick={() => void more()}>
            Older runs
          </button>
        </div>
      )}
    </>
  );
}

function Row({ run, chosen }: { readonly run: RunItem; readonly chosen?: Chosen }) {
  const { runId, workflowId, createdAt, duration, tokenUsage, cost } = run;
  const isChosen = chosen?.value.has(runId) === true;
  return (
    <tr class={isChosen ? 'chosen' : ''}>
      {chosen === undefined ? null : (
        <td>
          <label class="choice">
            <input
              type="checkbox"
              aria-label={`Choose run ${runId}`}
              checked={isChosen}
              onChange={() => (chosen.value = toggled(chosen.value, [run]))}
            />
          </label>
        </td>
      )}
      <td>
        <StateMark state={stateOfRun(run)} />
      </td>
      <td class="id mono">
        <a data-step href={href('run', { workflow: workflowId, run: runId })} title={runId}>
          …{runId.slice(-END_OF_ID)}
        </a>
      </td>
      <td class="id">
        <a href={href('workflow', { workflow: workflowId })}>
          <PlainText text={workflowId} />
        </a>
      </td>
      <td class="fill muted">
        <Why run={run} />
      </td>
      <td class="id muted">
        <Ago at={createdAt} />
      </td>
      <td class="id number">{duration === null ? '' : durationText(duration)}</td>
      <td class="id number">{tokenUsage === null || tokenUsage === 0 ? '' : tokenUsage.toLocaleString()}</td>
      <td class="id number">{cost === null || cost === 0 ? '' : cost.toFixed(4)}</td>
    </tr>
  );
}

const WAITS: Readonly<Record<string, string>> = {
  resume: 'waits for somebody who resumes it',
  child: 'waits for a run that it started',
  time: 'waits for a time',
  unit: '',
};

function Why({ run: { error, openGates, waitingFor } }: { readonly run: RunItem }) {
  if (error !== null) return <PlainText text={error} />;
  const [gate] = openGates;
  if (gate !== undefined) return <PlainText text={gate.title} isCut={gate.titleCut === true} />;
  return <>{waitingFor === null ? '' : (WAITS[waitingFor] ?? '')}</>;
}

function NoRuns() {
  return (
    <div class="empty">
      <h2>No runs here</h2>
      <p>None passes what the filters ask for, or none was started yet.</p>
      <div class="row">
        <a class="button" href={href('workflows')}>
          Go to the workflows
        </a>
      </div>
    </div>
  );
}
