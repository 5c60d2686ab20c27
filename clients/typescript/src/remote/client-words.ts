import { reworded, WORDS_OF_CLIENTS, WORDS_OF_HTTP } from '../../../../src/errors/wording.js';
import type { RefusedStart, StartedOrRefused } from '../types/batches.js';

/** The routes that there are only where somebody is asked. */
const NOBODY_IS_ASKED = /^Nothing is at [A-Z]+ \/(?:keys|owners|audit)\b/;
const ASKS_NOBODY =
  'This server asks nobody who they are, so there is nothing of this: start it with FLOWGATE_AUTH=keys';

interface Said {
  readonly error: string;
  readonly detail?: string;
}

/** What a service says, in which it names its routes and headers: here they are methods and options. */
export function inClientWords({ error, detail }: Said): Said {
  if (NOBODY_IS_ASKED.test(error)) return { error: ASKS_NOBODY };
  const said = { error: reworded(error, WORDS_OF_HTTP, WORDS_OF_CLIENTS) };
  return detail === undefined ? said : { ...said, detail: reworded(detail, WORDS_OF_HTTP, WORDS_OF_CLIENTS) };
}

/** A run of a batch as the client tells of it. */
export function startedOrRefused(run: StartedOrRefused): StartedOrRefused {
  if (!isRefused(run)) return run;
  return { ...run, ...inClientWords(run) };
}

/** It came from somebody else, and may be anything. */
function isRefused(run: unknown): run is RefusedStart {
  const { status, error, detail = '' } = Object(run) as { readonly [Field in keyof RefusedStart]?: unknown };
  return typeof status === 'number' && typeof error === 'string' && typeof detail === 'string';
}
