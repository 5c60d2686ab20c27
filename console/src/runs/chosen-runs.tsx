import { useSignal, type Signal } from '@preact/signals';
import type { RunItem } from 'flowgate-client/remote';
import { client } from '../api/service.js';
import { PermittedButton } from '../identity/permitted.js';
import { actingAs } from '../identity/who-am-i.js';
import { faultSentence } from '../api/fault-sentence.js';
import { PlainText } from '../ui/text/plain-text.js';
import { inTurn, type Progress } from './in-turn.js';

/** What is done to many at once is bounded, so that it can be watched. */
const MOST = 100;

const ACTS = {
  resume: { title: 'Resume', did: 'resumed' },
  pause: { title: 'Pause', did: 'paused' },
  cancel: { title: 'Cancel', did: 'cancelled' },
} as const;
type Act = keyof typeof ACTS;

/** Which runs are chosen: their workflows by their ids. */
export type Chosen = Signal<ReadonlyMap<string, string>>;

/** Without these where all of them were chosen, else with them. */
export function toggled(
  chosen: ReadonlyMap<string, string>,
  runs: readonly Pick<RunItem, 'runId' | 'workflowId'>[],
): ReadonlyMap<string, string> {
  const after = new Map(chosen);
  const isAll = runs.every(({ runId }) => chosen.has(runId));
  for (const { runId, workflowId } of runs) {
    if (isAll) after.delete(runId);
    else after.set(runId, workflowId);
  }
  return after;
}

/** Does one thing to each of the chosen runs in turn, a key each, and says what became of it. */
export function ChosenRuns({ chosen }: { readonly chosen: Chosen }) {
  const progress = useSignal<(Progress & { readonly act: Act }) | null>(null);
  const stop = useSignal(false);
  const addresses = [...chosen.value].slice(0, MOST).map(([runId, workflowId]) => ({ runId, workflowId }));
  const under = progress.value;
  if (addresses.length === 0 && under === null) return null;
  const begin = async (act: Act): Promise<void> => {
    stop.value = false;
    await inTurn(addresses, (address) => done(act, address), {
      isStopped: () => stop.value,
      onProgress: (now) => (progress.value = { ...now, act }),
    });
    chosen.value = new Map();
  };
  if (under !== null) {
    return (
      <div class={under.refused > 0 ? 'notice bad' : 'notice'} role="status">
        <p>
          {under.done} of {under.all} {ACTS[under.act].did}
          {under.refused > 0 ? `, ${under.refused} refused` : ''}
          {under.lastFault === null ? null : (
            <span class="muted">
              {' '}
              (<PlainText text={faultSentence(under.lastFault)} />)
            </span>
          )}
        </p>
        {under.isOver ? (
          <button type="button" onClick={() => (progress.value = null)}>
            Close
          </button>
        ) : (
          <button type="button" onClick={() => (stop.value = true)}>
            Stop
          </button>
        )}
      </div>
    );
  }
  return (
    <div class="notice">
      <p>
        {addresses.length} chosen
        {chosen.value.size > MOST ? `, the first ${MOST} of ${chosen.value.size}` : ''}
      </p>
      <div class="row">
        {(Object.keys(ACTS) as readonly Act[]).map((act) => (
          <PermittedButton
            key={act}
            permission="run:steer"
            class={act === 'cancel' ? 'danger' : ''}
            onClick={() => void begin(act)}
          >
            {ACTS[act].title}
          </PermittedButton>
        ))}
        <button type="button" class="quiet" onClick={() => (chosen.value = new Map())}>
          Choose none
        </button>
      </div>
    </div>
  );
}

async function done(
  act: Act,
  { workflowId, runId }: { readonly workflowId: string; readonly runId: string },
): Promise<unknown> {
  const name = actingAs();
  const by = name === null || name === '' ? {} : { by: name };
  switch (act) {
    case 'resume':
      return client.value.resume(workflowId, runId, undefined, { syncUntil: 'recorded' });
    case 'pause':
      return client.value.pause(workflowId, runId, by);
    case 'cancel':
      return client.value.cancel(workflowId, runId, by);
  }
}
