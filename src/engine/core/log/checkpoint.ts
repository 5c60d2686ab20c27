import type { RunEvent } from './event.js';
import { eventKind } from './event-kinds.js';

/** Whether a run can be resumed from the state after this event: it ended a unit or stopped for a person. */
export function isCheckpoint(event: RunEvent): boolean {
  return eventKind(event.type).isCheckpoint;
}
