import { useEffect } from 'preact/hooks';
import { client } from '../api/service.js';
import { useReading } from '../api/reading.js';
import { has } from '../api/settings.js';
import { replace } from '../app/router.js';
import { Trouble } from '../ui/trouble.js';
import { Welcome } from './welcome.js';

/** What matters most now: approvals while a gate is open, else runs; where there is nothing yet, how to begin. */
export function FrontScreen() {
  const { value: first, error, again } = useReading('front', firstScreen).value;
  useEffect(() => {
    if (first !== undefined && first !== 'welcome') replace(first);
  }, [first]);
  if (error !== undefined) return <Trouble error={error} onAgain={again} />;
  return first === 'welcome' ? <Welcome /> : <p class="muted">Loading…</p>;
}

async function firstScreen(signal: AbortSignal): Promise<'approvals' | 'runs' | 'workflows' | 'welcome'> {
  const [gates, runs, workflows] = await Promise.all([
    has('hitl') ? client.value.listGates({ limit: 1, signal }) : null,
    has('runs') ? client.value.listRuns({ limit: 1, signal }) : null,
    has('workflows') ? client.value.listWorkflows({ signal }) : null,
  ]);
  if ((gates?.open ?? 0) > 0) return 'approvals';
  if ((runs?.items.length ?? 0) > 0) return 'runs';
  return has('registration') && (workflows?.length ?? 0) === 0 ? 'welcome' : 'workflows';
}
