/** Ids of runs are UUIDs. */
const RUN_ID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const RUN_ENDING = /^[\da-f]{8}$/i;

/** Whether a text is what a run may be named by without its workflow: its id, or the end of it. */
export function namesRun(text: string): boolean {
  return RUN_ID.test(text) || isRunEnding(text);
}

/** Whether a text may be the last eight characters of the id of a run. */
export function isRunEnding(text: string): boolean {
  return RUN_ENDING.test(text);
}

export interface PositionalRun {
  workflowId?: string | undefined;
  runId?: string | undefined;
}

/**
 * yargs fills the required `<runId>` before the optional `[workflowId]` in front of it, and people write `hello <runId>`: with
 * both, they are exchanged.
 */
export function inWrittenOrder(given: PositionalRun): void {
  const { workflowId: second, runId: first } = given;
  if (second === undefined) return;
  given.workflowId = first;
  given.runId = second;
}

/** Where both are optional, one word alone is the run. */
export function aloneIsRun(given: PositionalRun): void {
  if (given.runId !== undefined) return;
  given.runId = given.workflowId;
  given.workflowId = undefined;
}
