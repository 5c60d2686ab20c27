import type { JsonValue } from '../../core/json.js';
import type { RunEvent } from '../../core/log/event.js';
import { isOver } from '../../core/state/status.js';
import type { RunState } from '../../core/state/state.js';
import { gateDueAt, type GateOpened } from '../../core/waits/events/gate-events.js';
import type { Gate } from '../../core/waits/gate.js';
import { waitsOf } from '../../core/waits/wait-kind.js';

/** What a person is asked. */
export interface OpenGate {
  readonly gateId: number;
  readonly unitId: string;
  readonly title: string;
  readonly description: string | null;
  readonly payload: JsonValue;
  /** Epoch ms. */
  readonly openedAt: number;
  /** Epoch ms at which its time is up; absent: it waits as long as it takes. */
  readonly dueAt?: number;
  /** The child run that asks, and its workflow; absent: the run itself does. */
  readonly runId?: string;
  readonly workflowId?: string;
}

/** The open gates of a run in memory, oldest first; none once it is over. */
export function openGatesIn(state: RunState): readonly OpenGate[] {
  if (state.forPeople === 0 || isOver(state)) return [];
  return waitsOf<Gate>(state, 'gate').map(({ id, openedAt, dueAt, ...asked }) =>
    gateFrom({ gateId: id, openedAt, ...(dueAt === null ? {} : { dueAt }) }, asked),
  );
}

/** A gate has the number of the event that opened it; null for an event that opened none. */
export function gateOpenedBy(event: RunEvent): OpenGate | null {
  return event.type === 'gate-opened'
    ? gateFrom({ gateId: event.seq, openedAt: event.at, ...gateDueAt(event) }, event)
    : null;
}

function gateFrom(
  when: Pick<OpenGate, 'gateId' | 'openedAt' | 'dueAt'>,
  { unitId, title, description, payload }: Pick<GateOpened, 'unitId' | 'title' | 'description' | 'payload'>,
): OpenGate {
  const { gateId, ...times } = when;
  return { gateId, unitId, title, description, payload, ...times };
}
