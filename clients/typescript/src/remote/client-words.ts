import { reworded } from '../../../../src/errors/wording.js';
import type { RefusedStart, StartedOrRefused } from '../types/batches.js';

/** The routes that there are only where somebody is asked. */
const NOBODY_IS_ASKED = /^Nothing is at [A-Z]+ \/(?:keys|owners|audit)\b[^]*/;

/** What a service says, in which it names its routes and headers: here they are methods and options. */
export function inClientWords(text: string): string {
  return reworded(text, 'http', 'client').replace(
    NOBODY_IS_ASKED,
    'This server asks nobody who they are, so there is nothing of this: start it with FLOWGATE_AUTH=keys',
  );
}

/** A run of a batch as the client tells of it. */
export function startedOrRefused(run: StartedOrRefused): StartedOrRefused {
  if (!isRefused(run)) return run;
  const { detail } = run;
  return {
    ...run,
    error: inClientWords(run.error),
    ...(detail === undefined ? {} : { detail: inClientWords(detail) }),
  };
}

function isRefused(run: StartedOrRefused): run is RefusedStart {
  return typeof run.status === 'number' && typeof run.error === 'string';
}
