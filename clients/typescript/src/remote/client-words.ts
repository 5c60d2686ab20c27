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
  const { error, detail } = run;
  const said = { ...run, error: inClientWords(error) };
  return typeof detail === 'string' ? { ...said, detail: inClientWords(detail) } : said;
}

/** It came from somebody else, and may be anything. */
function isRefused(run: unknown): run is RefusedStart {
  const { status, error } = Object(run) as { readonly status?: unknown; readonly error?: unknown };
  return typeof status === 'number' && typeof error === 'string';
}
