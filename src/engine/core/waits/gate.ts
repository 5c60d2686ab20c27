import { ON_REJECT } from '../../vocabulary.js';
import type { JsonValue } from '../json.js';
import { approximateChars } from '../json-size.js';
import { anonymous, type Actor } from '../log/actor.js';
import type { EventBase, Location } from '../log/event-base.js';
import { FROM_OUTSIDE, OF_A_THREAD, type FactsOf } from '../log/event-facts.js';
import { actor, anything, location, name, oneOf, orNull, text, truth, whole } from '../log/event-shape.js';
import { shownActor } from '../log/public-form.js';
import { finishUnit, moveCursor, write } from '../fold/scopes.js';
import { admitted } from '../state/scope.js';
import type { GateDecision, RunState } from '../state/state.js';
import type { Wait } from '../state/wait.js';
import { closeWait, openWait } from './state-indexes.js';
import { waitOf, waitsOf, type Message, type WaitKind } from './wait-kind.js';

/** An approval that waits for a decision. The first decision counts; the gate does not see a second one. */
export interface Gate extends Wait {
  readonly kind: 'gate';
  readonly title: string;
  readonly description: string | null;
  readonly payload: JsonValue;
  readonly onReject: 'fail' | 'continue';
  /** Epoch ms. */
  readonly openedAt: number;
}

export interface GateOpened extends EventBase, Location {
  readonly type: 'gate-opened';
  readonly unitId: string;
  readonly title: string;
  readonly description: string | null;
  readonly payload: JsonValue;
  readonly onReject: 'fail' | 'continue';
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
}

export interface DecisionSignal {
  readonly type: 'decision';
  readonly gateId: number;
  readonly approved: boolean;
  readonly responder: string;
  readonly by: Actor;
  readonly comment: string | null;
}

export interface AwaitDecision {
  readonly type: 'await-decision';
  readonly gateId: number;
}

type GateMessage = Message &
  (
    | {
        readonly type: 'hitl-request';
        readonly unitId: string;
        readonly gateId: number;
        readonly action: string;
        readonly payload: JsonValue;
      }
    | {
        readonly type: 'hitl-response';
        readonly gateId: number;
        readonly approved: boolean;
        readonly responder: string;
        /** The way in; `responder` may be a mere claim. */
        readonly via: Actor['via'];
      }
  );

function gateOf(state: RunState, id: number): Gate | undefined {
  return waitOf<Gate>(state, 'gate', id);
}

/** What was decided at the run's own gate of that id; undefined: nothing, or it has none. */
export function decisionAt({ decisions }: RunState, gateId: number): GateDecision | undefined {
  const decision = decisions.get(gateId);
  return decision?.runId === undefined ? decision : undefined;
}

/** The gates that wait for a decision, in the order in which they opened. Costs nothing while no person is waited for. */
export function openGatesOf(state: RunState): readonly {
  readonly gateId: number;
  readonly unitId: string;
  /** Epoch ms. */
  readonly openedAt: number;
  readonly title: string;
}[] {
  if (state.forPeople === 0) return [];
  return waitsOf<Gate>(state, 'gate').map(({ id: gateId, unitId, openedAt, title }) => ({
    gateId,
    unitId,
    openedAt,
    title,
  }));
}

/** What the shell has to know of the events of gates. */
const FACTS: FactsOf<GateOpened | GateDecided> = {
  'gate-opened': {
    ...OF_A_THREAD,
    movesGates: true,
    mayPause: true,
    schedulesUnit: true,
    publicForm: ({ seq: gateId, unitId, title, description, payload, onReject }) => ({
      type: 'gate.opened',
      data: { gateId, unitId, title, description, payload, onReject },
    }),
    logFields: ['unitId', 'title', 'description', 'payload', 'onReject'],
    shape: {
      ...location,
      unitId: name,
      title: text,
      description: orNull(text),
      payload: anything,
      onReject: oneOf(...ON_REJECT),
    },
  },
  'gate-decided': {
    ...FROM_OUTSIDE,
    movesGates: true,
    publicForm: ({ gateId, unitId, approved, responder, by, comment, failed }) => ({
      type: 'gate.decided',
      data: { gateId, unitId, approved, responder, by: shownActor(by), comment, failed },
    }),
    logFields: ['gateId', 'unitId', 'approved', 'responder', 'by', 'comment', 'failed'],
    shape: {
      gateId: whole,
      unitId: name,
      approved: truth,
      responder: text,
      by: actor,
      comment: orNull(text),
      failed: truth,
    },
  },
};

/** `builtin.approval`. */
export const gate: WaitKind<Gate, GateOpened | GateDecided, DecisionSignal, AwaitDecision, GateMessage> = {
  kind: 'gate',
  events: {
    'gate-opened': {
      facts: FACTS['gate-opened'],
      upcasts: [],
      isCheckpoint: true,
      fold(draft, { seq: id, at: openedAt, path, scope, unitId, title, description, payload, onReject }) {
        const opened: Gate = {
          id,
          kind: 'gate',
          path,
          scope,
          unitId,
          dueAt: null,
          heldBy: null,
          standing: 'people',
          chars: approximateChars(payload),
          title,
          description,
          payload,
          onReject,
          openedAt,
        };
        openWait(draft, opened);
        moveCursor(draft, scope, { phase: 'waiting', path, id });
      },
      messages: ({ seq: gateId, at: timestamp, unitId, title: action, payload }) => [
        { type: 'hitl-request', timestamp, unitId, gateId, action, payload },
      ],
      touches: ({ seq }) => [seq],
    },
    'gate-decided': {
      facts: FACTS['gate-decided'],
      // Version 1 recorded the responder alone.
      upcasts: [(event) => ({ ...event, by: { ...anonymous('unknown', String(event['responder'])) } })],
      isCheckpoint: true,
      fold(draft, { seq, at: decidedAt, gateId, approved, responder, comment, failed }) {
        const open = gateOf(draft, gateId);
        if (open === undefined) return;
        closeWait(draft, open);
        const { unitId, path, scope } = open;
        draft.decisions = draft.decisions.set(gateId, { unitId, approved, responder, decidedAt });
        const output = { approved, responder, decidedAt, ...(comment === null ? {} : { comment }) };
        const writes: [string, JsonValue][] = [
          [`output.${unitId}`, output],
          ['hitl.approved', approved],
          ['hitl.responder', responder],
        ];
        if (!failed) return finishUnit(draft, open, seq, writes);
        const error = `Rejected by ${responder} at gate ${unitId}`;
        write(draft, scope, writes, seq, { phase: 'failed', path, error, retry: null });
      },
      messages: ({ at: timestamp, gateId, approved, responder, by: { via } }) => [
        { type: 'hitl-response', timestamp, gateId, approved, responder, via },
      ],
      touches: ({ gateId }) => [gateId],
    },
  },
  signals: {
    decision(turn, { gateId, approved, responder, by, comment }) {
      const open = turn.state.phase === 'live' ? gateOf(turn.state, gateId) : undefined;
      if (open === undefined) return;
      const { unitId, scope } = open;
      const failed = !approved && open.onReject === 'fail';
      turn.emit({ type: 'gate-decided', gateId, unitId, approved, responder, by, comment, failed });
      turn.ready.add(scope);
    },
  },
  unstorable: { decision: 'pauses-run' },
  requiredCommands: ({ id: gateId }) => ({ type: 'await-decision', gateId }),
  parked: ({ path }) => admitted(path),
  rewound: ({ path }) => admitted(path),
  forked: ({ path }) => admitted(path),
};
