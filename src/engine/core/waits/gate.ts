import type { OnTimeout } from '../../vocabulary.js';
import type { JsonValue } from '../json.js';
import { approximateChars } from '../json-size.js';
import { anonymous, ENGINE_ACTOR, type Actor } from '../log/actor.js';
import { finishUnit, moveCursor, write } from '../fold/scopes.js';
import { admitted } from '../state/scope.js';
import type { GateDecision, RunState } from '../state/state.js';
import type { Wait } from '../state/wait.js';
import { closeWait, openWait } from './state-indexes.js';
import type { GateEvent } from './events/gate-events.js';
import { GATE_FACTS } from './events/gate-facts.js';
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
  /** What the engine decides once its time is over; absent: it waits as long as it takes. */
  readonly onTimeout?: OnTimeout;
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

/** `builtin.approval`. */
export const gate: WaitKind<Gate, GateEvent, DecisionSignal, AwaitDecision, GateMessage> = {
  kind: 'gate',
  events: {
    'gate-opened': {
      facts: GATE_FACTS['gate-opened'],
      upcasts: [],
      isCheckpoint: true,
      fold(draft, event) {
        const { seq: id, at: openedAt, path, scope, unitId, title, description, payload, onReject } = event;
        const { timeoutMs, onTimeout } = event;
        const opened: Gate = {
          id,
          kind: 'gate',
          path,
          scope,
          unitId,
          dueAt: timeoutMs === undefined ? null : openedAt + timeoutMs,
          heldBy: null,
          standing: 'people',
          chars: approximateChars(payload),
          title,
          description,
          payload,
          onReject,
          openedAt,
          ...(onTimeout === undefined ? {} : { onTimeout }),
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
      facts: GATE_FACTS['gate-decided'],
      // Version 1 recorded the responder alone.
      upcasts: [(event) => ({ ...event, by: { ...anonymous('unknown', String(event['responder'])) } })],
      isCheckpoint: true,
      fold(draft, { seq, at: decidedAt, gateId, approved, responder, comment, failed, timedOut }) {
        const open = gateOf(draft, gateId);
        if (open === undefined) return;
        closeWait(draft, open);
        const { unitId, path, scope } = open;
        draft.decisions = draft.decisions.set(gateId, { unitId, approved, responder, decidedAt });
        const output = {
          approved,
          responder,
          decidedAt,
          ...(comment === null ? {} : { comment }),
          ...(timedOut === undefined ? {} : { timedOut }),
        };
        const writes: [string, JsonValue][] = [
          [`output.${unitId}`, output],
          ['hitl.approved', approved],
          ['hitl.responder', responder],
        ];
        if (!failed) return finishUnit(draft, open, seq, writes);
        if (timedOut === true && open.onTimeout === 'fail') {
          const error = `Nobody decided at gate ${unitId} in time`;
          const facts = { code: 'timeout', unitId, attempts: 0 } as const;
          return write(draft, scope, writes, seq, { phase: 'failed', path, error, retry: null, facts });
        }
        const error =
          timedOut === true
            ? `Nobody decided at gate ${unitId} in time, and so it was rejected`
            : `Rejected by ${responder} at gate ${unitId}`;
        write(draft, scope, writes, seq, { phase: 'failed', path, error, retry: null });
      },
      messages: ({ at: timestamp, gateId, approved, responder, by: { via } }) => [
        { type: 'hitl-response', timestamp, gateId, approved, responder, via },
      ],
      touches: ({ gateId }) => [gateId],
    },
    'gate-closed': { facts: GATE_FACTS['gate-closed'], upcasts: [], isNote: true, fold: () => undefined },
    'gate-reopened': { facts: GATE_FACTS['gate-reopened'], upcasts: [], isNote: true, fold: () => undefined },
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
  due(turn, { id: gateId, unitId, scope, onReject, onTimeout = 'reject' }) {
    if (gateOf(turn.state, gateId) === undefined) return;
    const approved = onTimeout === 'approve';
    const failed = onTimeout === 'fail' || (!approved && onReject === 'fail');
    const { id: responder } = ENGINE_ACTOR;
    turn.emit({
      type: 'gate-decided',
      gateId,
      unitId,
      approved,
      responder,
      by: ENGINE_ACTOR,
      comment: null,
      failed,
      timedOut: true,
    });
    turn.ready.add(scope);
  },
  requiredCommands: ({ id: gateId }) => ({ type: 'await-decision', gateId }),
  parked: ({ path }) => admitted(path),
  rewound: ({ path }) => admitted(path),
  forked: ({ path }) => admitted(path),
};
