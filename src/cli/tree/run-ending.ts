/** By what a terminal names a run: the last eight characters of its id. The first ones are a time, and alike. */
export function runEnding(runId: string): string {
  return runId.slice(-8);
}
