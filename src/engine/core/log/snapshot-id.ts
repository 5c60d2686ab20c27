/** The id of the state of a run after event `seq`. */
export function snapshotId(runId: string, seq: number): string {
  return `${runId}.${seq}`;
}

/** The seq that a snapshot id names, or null when it is not one of this run's. */
export function seqOfSnapshot(runId: string, id: string): number | null {
  if (!id.startsWith(`${runId}.`)) return null;
  const digits = id.slice(runId.length + 1);
  return /^[1-9]\d{0,14}$/.test(digits) ? Number(digits) : null;
}
