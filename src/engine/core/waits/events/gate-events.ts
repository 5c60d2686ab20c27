import type { GateClosing, OnTimeout } from '../../../vocabulary.js';
import type { JsonValue } from '../../json.js';
import type { Actor } from '../../log/actor.js';
import type { EventBase, Location } from '../../log/event-base.js';

export type GateEvent = GateOpened | GateDecided | GateClosed | GateReopened;

export interface GateOpened extends EventBase, Location {
  readonly type: 'gate-opened';
  readonly unitId: string;
  readonly title: string;
  readonly description: string | null;
  readonly payload: JsonValue;
  readonly onReject: 'fail' | 'continue';
  /** Ms within which it must be decided; absent, as the next one: it waits as long as it takes. */
  readonly timeoutMs?: number;
  readonly onTimeout?: OnTimeout;
}

export interface GateDecided extends EventBase {
  readonly type: 'gate-decided';
  readonly gateId: number;
  readonly unitId: string;
  readonly approved: boolean;
  /** The responder as the request named them; `by` says how that is known. */
  readonly responder: string;
  readonly by: Actor;
  readonly comment: string | null;
  /** A rejection that the gate does not let pass: the unit failed. */
  readonly failed: boolean;
  /** Nobody decided in time: the engine did, as the gate says. */
  readonly timedOut?: true;
}

/**
 * The gate was closed, and no decision did that. It says what the event before it did, which may have closed many: the state
 * does not change with it.
 */
export interface GateClosed extends EventBase {
  readonly type: 'gate-closed';
  readonly gateId: number;
  readonly unitId: string;
  readonly why: GateClosing;
}

/**
 * The gate waits again under its id: it was open when the run failed, which told that it closed, and the run was resumed. The
 * state does not change with it.
 */
export interface GateReopened
  extends
    EventBase,
    Pick<GateOpened, 'unitId' | 'title' | 'description' | 'payload' | 'onReject' | 'onTimeout'> {
  readonly type: 'gate-reopened';
  readonly gateId: number;
  /** Epoch ms; absent: it waits as long as it takes. */
  readonly dueAt?: number;
}

/** Epoch ms at which its time is up, as the field `dueAt` of what shows it; nothing where it waits as long as it takes. */
export function gateDueAt({ at, timeoutMs }: Pick<GateOpened, 'at' | 'timeoutMs'>): {
  readonly dueAt?: number;
} {
  return timeoutMs === undefined ? {} : { dueAt: at + timeoutMs };
}
