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

interface Props {
  readonly runs: readonly RunItem[];
  readonly chosen: Signal<ReadonlySet<string>>;
}

/** With these ids where they were not all chosen, else without them. */
export function toggled(chosen: ReadonlySet<string>, ids: readonly string[]): ReadonlySet<string> {
  const isAll = ids.every((id) => chosen.has(id));
  return isAll ? new Set([...chosen].filter((id) => !ids.includes(id))) : new Set([...chosen, ...ids]);
}

/** Does one thing to each of the chosen runs in turn, a key each, and says what became of it. */
export function ChosenRuns({ runs, chosen }: Props) {
  const progress = useSignal<(Progress & { readonly act: Act }) | null>(null);
  const stop = useSignal(false);
  const workflows = useSignal(new Map<string, string>());
  for (const { runId, workflowId } of runs) workflows.value.set(runId, workflowId);
  const ids = [...chosen.value].slice(0, MOST);
  const under = progress.value;
  if (ids.length === 0 && under === null) return null;
  const begin = async (act: Act): Promise<void> => {
    stop.value = false;
    const addresses = ids.map((runId) => ({ runId, workflowId: workflows.value.get(runId) ?? '' }));
    await inTurn(addresses, (address) => done(act, address), {
      isStopped: () => stop.value,
      onProgress: (now) => (progress.value = { ...now, act }),
    });
    chosen.value = new Set();
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
        {ids.length} chosen{chosen.value.size > MOST ? `, the first ${MOST} of ${chosen.value.size}` : ''}
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
        <button type="button" class="quiet" onClick={() => (chosen.value = new Set())}>
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
