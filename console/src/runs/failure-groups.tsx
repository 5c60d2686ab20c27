import type { RunItem } from 'flowgate-client/remote';
import { StateShape } from '../ui/state/state-mark.js';
import { PlainText } from '../ui/text/plain-text.js';
import type { Chosen } from './chosen-runs.js';
import { failureGroups } from './failure-group.js';

/** One failure needs no group. */
const FROM = 2;
const SHOWN = 5;

interface Props {
  readonly runs: readonly RunItem[];
  readonly chosen: Chosen;
}

/** The failures that are loaded, by what they have in common; a press chooses their runs. */
export function FailureGroups({ runs, chosen }: Props) {
  const groups = failureGroups(runs).filter(({ runIds }) => runIds.length >= FROM);
  if (groups.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="failures">
      <h2 id="failures">Failures that look alike</h2>
      <ul class="stack tight">
        {groups.slice(0, SHOWN).map(({ workflowId, error, runIds }) => (
          <li key={`${workflowId} ${error}`} class="row spread">
            <span class="failure">
              <StateShape state="failed" /> <strong>{runIds.length}×</strong> <PlainText text={workflowId} />
              <span class="muted">
                {' '}
                <PlainText text={error} />
              </span>
            </span>
            <button
              type="button"
              onClick={() => (chosen.value = new Map(runIds.map((runId) => [runId, workflowId])))}
            >
              Choose them
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
