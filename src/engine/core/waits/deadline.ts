import type { EventBase, Location, NodePath } from '../log/event-base.js';
import { FROM_OUTSIDE, OF_A_THREAD, type FactsOf } from '../log/event-facts.js';
import { failure, ifThere, location, orNull, whole } from '../log/event-shape.js';
import type { Failure } from '../log/failure.js';
import { beginClosing } from '../fold/closing/closing.js';
import { openDeadline, type Deadline } from '../fold/closing/deadlines.js';
import { enterTry } from '../fold/closing/enter-try.js';
import { openWait } from './state-indexes.js';
import type { Plan } from '../plan/plan.js';
import type { WaitKind } from './wait-kind.js';

export interface TryEntered extends EventBase, Location {
  readonly type: 'try-entered';
  /** Ms that its body has; null: without a bound. */
  readonly lengthMs: number | null;
}

/** The body of a try was not over in time: it closes, and the try goes on as after any failure of it. */
export interface DeadlinePassed extends EventBase, Location {
  readonly type: 'deadline-passed';
  readonly error: Failure;
  /** See `Unwinding`. */
  readonly since?: number;
}

/** What the shell has to know of the events of deadlines. */
const FACTS: FactsOf<TryEntered | DeadlinePassed> = {
  'try-entered': {
    ...OF_A_THREAD,
    logFields: ['lengthMs'],
    shape: { ...location, lengthMs: orNull(whole) },
  },
  'deadline-passed': {
    ...FROM_OUTSIDE,
    movesGates: true,
    logFields: ['error', 'since'],
    shape: { ...location, error: failure, since: ifThere(Number.isSafeInteger) },
  },
};

/** `timeout` of a try. */
export const deadline: WaitKind<Deadline, TryEntered | DeadlinePassed> = {
  kind: 'deadline',
  events: {
    'try-entered': {
      facts: FACTS['try-entered'],
      upcasts: [],
      fold(draft, { seq, at, path, scope, lengthMs }) {
        enterTry(draft, { path, scope }, { seq, lengthMs });
        if (lengthMs !== null) openWait(draft, openDeadline({ id: seq, path, scope, dueAt: at + lengthMs }));
      },
    },
    'deadline-passed': {
      facts: FACTS['deadline-passed'],
      upcasts: [],
      fold: (draft, { at, path, scope, error, since }) =>
        beginClosing(draft, scope, at, {
          path,
          reason: 'timeout',
          error,
          ...(since === undefined ? {} : { since }),
        }),
      sweeps: () => true,
    },
  },
  signals: {},
  unstorable: {},
  due(turn, { id, path, scope }) {
    const lengthMs = turn.state.scopes.get(scope)?.tries.get(path)?.lengthMs ?? 0;
    const message = `The try at ${path} overran its time-out of ${lengthMs} ms`;
    turn.emit({
      type: 'deadline-passed',
      path,
      scope,
      error: { code: 'timeout', message, attempts: 0, path },
      ...(compensatesAt(turn.plan, path) ? { since: id } : {}),
    });
    turn.ready.add(scope);
  },
  requiredCommands: () => null,
  parked: () => null,
  // What is restarted has all of its time: see `fold/deadlines.ts`.
  rewound: () => 'stays',
  forked: () => null,
};

function compensatesAt({ nodes }: Pick<Plan, 'nodes'>, path: NodePath): boolean {
  const node = nodes.get(path);
  return node?.type === 'try' && node.compensates;
}
