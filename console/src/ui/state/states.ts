/** What can be said of a run, a unit or a gate in one word. Each has a shape of its own, so that no colour has to be told apart. */
export const STATES = [
  'running',
  'gate',
  'paused',
  'retrying',
  'completed',
  'failed',
  'waiting',
  'pending',
  'skipped',
  'cancelled',
  'lost',
] as const;
export type State = (typeof STATES)[number];

export const STATE_WORDS: Readonly<Record<State, string>> = {
  running: 'running',
  gate: 'at a gate',
  paused: 'paused',
  retrying: 'retrying',
  completed: 'completed',
  failed: 'failed',
  waiting: 'waiting',
  pending: 'pending',
  skipped: 'skipped',
  cancelled: 'cancelled',
  lost: 'lost',
};
