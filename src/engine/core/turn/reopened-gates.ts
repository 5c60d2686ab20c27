import type { Unstamped } from '../log/event-base.js';
import type { RunEvent } from '../log/event.js';
import type { RunState } from '../state/state.js';
import type { GateReopened } from '../waits/events/gate-events.js';
import type { Gate } from '../waits/gate.js';
import { waitsOf } from '../waits/wait-kind.js';
import type { GatesBefore } from './closed-gates.js';

const NONE: readonly never[] = [];

/** The events that say which gates wait again, once a run that failed is resumed: it was told that they closed. Mostly none. */
export function reopenedGates(
  before: GatesBefore,
  event: RunEvent,
  after: RunState,
): readonly Unstamped<GateReopened>[] {
  if (event.type !== 'resumed' || before.phase !== 'failed') return NONE;
  return waitsOf<Gate>(after, 'gate').map(
    ({ id: gateId, unitId, title, description, payload, onReject, dueAt, onTimeout }) => ({
      type: 'gate-reopened',
      gateId,
      unitId,
      title,
      description,
      payload,
      onReject,
      ...(dueAt === null ? {} : { dueAt }),
      ...(onTimeout === undefined ? {} : { onTimeout }),
    }),
  );
}
