import type { EventBase, Location } from '../log/event-base.js';
import { FROM_OUTSIDE, OF_A_THREAD, type FactsOf } from '../log/event-facts.js';
import { instant, location, name, whole } from '../log/event-shape.js';
import { finishUnit, moveCursor } from '../fold/scopes.js';
import { admitted } from '../state/scope.js';
import type { RunState } from '../state/state.js';
import type { Wait } from '../state/wait.js';
import { closeWait, openWait } from './state-indexes.js';
import { waitOf, type Message, type WaitKind } from './wait-kind.js';

/** An instant that a thread waits for. It fires once, at the first signal after the instant. */
export interface Timer extends Wait {
  readonly kind: 'timer';
  /** Epoch ms. */
  readonly dueAt: number;
}

export interface TimerSet extends EventBase, Location {
  readonly type: 'timer-set';
  readonly unitId: string;
  readonly dueAt: number;
}

export interface TimerFired extends EventBase {
  readonly type: 'timer-fired';
  readonly timerId: number;
  readonly unitId: string;
}

export interface AwaitTimer {
  readonly type: 'await-timer';
  readonly timerId: number;
  readonly dueAt: number;
}

type TimerMessage = Message & {
  readonly type: 'timer-set';
  readonly unitId: string;
  /** Epoch ms. */
  readonly dueAt: number;
};

/** What the shell has to know of the events of timers, which are shown as those of the unit that waits. */
const FACTS: FactsOf<TimerSet | TimerFired> = {
  'timer-set': {
    ...OF_A_THREAD,
    schedulesUnit: true,
    publicForm: ({ seq: executionId, unitId, dueAt }) => ({
      type: 'unit.scheduled',
      data: { executionId, unitId, kind: 'timer', dueAt },
    }),
    logFields: ['unitId', 'dueAt'],
    shape: { ...location, unitId: name, dueAt: instant },
  },
  'timer-fired': {
    ...FROM_OUTSIDE,
    mayPause: true,
    publicForm: ({ timerId: executionId, unitId }) => ({
      type: 'unit.finished',
      data: { executionId, unitId, kind: 'timer' },
    }),
    logFields: ['timerId', 'unitId'],
    shape: { timerId: whole, unitId: name },
  },
};

/** `builtin.wait`. */
export const timer: WaitKind<Timer, TimerSet | TimerFired, never, AwaitTimer, TimerMessage> = {
  kind: 'timer',
  events: {
    'timer-set': {
      facts: FACTS['timer-set'],
      upcasts: [],
      fold(draft, { seq: id, path, scope, unitId, dueAt }) {
        const set: Timer = {
          id,
          kind: 'timer',
          path,
          scope,
          unitId,
          dueAt,
          heldBy: null,
          standing: 'moving',
          chars: 0,
        };
        openWait(draft, set);
        moveCursor(draft, scope, { phase: 'waiting', path, id });
      },
      messages: ({ at: timestamp, unitId, dueAt }) => [{ type: 'timer-set', timestamp, unitId, dueAt }],
      touches: ({ seq }) => [seq],
    },
    'timer-fired': {
      facts: FACTS['timer-fired'],
      upcasts: [],
      isCheckpoint: true,
      fold(draft, { seq, timerId }) {
        const set = timerOf(draft, timerId);
        if (set === undefined) return;
        closeWait(draft, set);
        finishUnit(draft, set, seq, []);
      },
      touches: ({ timerId }) => [timerId],
    },
  },
  signals: {},
  unstorable: {},
  due(turn, { id: timerId, unitId, scope }) {
    turn.emit({ type: 'timer-fired', timerId, unitId });
    turn.ready.add(scope);
  },
  requiredCommands: ({ id: timerId, dueAt }) => ({ type: 'await-timer', timerId, dueAt }),
  parked: ({ path }) => admitted(path),
  rewound: ({ path }) => admitted(path),
  forked: ({ path }) => admitted(path),
};

function timerOf(state: RunState, id: number): Timer | undefined {
  return waitOf<Timer>(state, 'timer', id);
}
