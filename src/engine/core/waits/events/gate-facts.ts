import { GATE_CLOSINGS, ON_REJECT, ON_TIMEOUT } from '../../../vocabulary.js';
import { FROM_OUTSIDE, OF_A_THREAD, type FactsOf } from '../../log/event-facts.js';
import {
  actor,
  anything,
  ifThere,
  location,
  name,
  oneOf,
  orNull,
  text,
  truth,
  whole,
} from '../../log/event-shape.js';
import { shownActor, type PublicForm } from '../../log/public-form.js';
import { gateDueAt, type GateEvent, type GateOpened, type GateReopened } from './gate-events.js';

/** What both events say of a gate that waits. */
type Waiting = Pick<GateOpened, 'unitId' | 'title' | 'description' | 'payload' | 'onReject' | 'onTimeout'>;

const WAITING = {
  unitId: name,
  title: text,
  description: orNull(text),
  payload: anything,
  onReject: oneOf(...ON_REJECT),
  onTimeout: ifThere(oneOf(...ON_TIMEOUT)),
};

function told(
  gateId: number,
  { unitId, title, description, payload, onReject, onTimeout }: Waiting,
  due: Pick<GateReopened, 'dueAt'>,
): PublicForm {
  const data = { gateId, unitId, title, description, payload, onReject };
  return {
    type: 'gate.opened',
    data: { ...data, ...due, ...(onTimeout === undefined ? {} : { onTimeout }) },
  };
}

/** What the shell has to know of the events of gates. */
export const GATE_FACTS: FactsOf<GateEvent> = {
  'gate-opened': {
    ...OF_A_THREAD,
    movesGates: true,
    mayPause: true,
    schedulesUnit: true,
    publicForm: (event) => told(event.seq, event, gateDueAt(event)),
    logFields: ['unitId', 'title', 'description', 'payload', 'onReject', 'timeoutMs', 'onTimeout'],
    shape: {
      ...location,
      ...WAITING,
      timeoutMs: ifThere(whole),
    },
  },
  'gate-decided': {
    ...FROM_OUTSIDE,
    movesGates: true,
    publicForm: ({ gateId, unitId, approved, responder, by, comment, failed, timedOut }) => ({
      type: 'gate.decided',
      data: {
        gateId,
        unitId,
        approved,
        responder,
        by: shownActor(by),
        comment,
        failed,
        ...(timedOut === undefined ? {} : { timedOut }),
      },
    }),
    logFields: ['gateId', 'unitId', 'approved', 'responder', 'by', 'comment', 'failed', 'timedOut'],
    shape: {
      gateId: whole,
      unitId: name,
      approved: truth,
      responder: text,
      by: actor,
      comment: orNull(text),
      failed: truth,
      timedOut: ifThere(oneOf(true)),
    },
  },
  'gate-closed': {
    // It follows from the event before it, which older builds wrote alone.
    ...FROM_OUTSIDE,
    publicForm: ({ gateId, unitId, why }) => ({ type: 'gate.closed', data: { gateId, unitId, why } }),
    logFields: ['gateId', 'unitId', 'why'],
    shape: { gateId: whole, unitId: name, why: oneOf(...GATE_CLOSINGS) },
  },
  'gate-reopened': {
    // As `gate-closed`.
    ...FROM_OUTSIDE,
    publicForm: (event) => told(event.gateId, event, event.dueAt === undefined ? {} : { dueAt: event.dueAt }),
    logFields: ['gateId', 'unitId', 'title', 'description', 'payload', 'onReject', 'dueAt', 'onTimeout'],
    shape: {
      ...WAITING,
      gateId: whole,
      dueAt: ifThere(whole),
    },
  },
};
