import type { RunEvent } from './event.js';

/** Whether a run can be resumed from the state after this event: it ended a unit or stopped for a person. */
export function isCheckpoint(event: RunEvent): boolean {
  switch (event.type) {
    case 'unit-finished':
    case 'state-written':
    case 'timer-fired':
    case 'gate-opened':
    case 'gate-decided':
    case 'paused':
      return true;
    default:
      return false;
  }
}

export function snapshotId(runId: string, seq: number): string {
  return `${runId}.${seq}`;
}

/** The seq that a snapshot id names, or null when it is not one of this run's. */
export function seqOfSnapshot(runId: string, id: string): number | null {
  if (!id.startsWith(`${runId}.`)) return null;
  const digits = id.slice(runId.length + 1);
  return /^[1-9]\d{0,14}$/.test(digits) ? Number(digits) : null;
}
