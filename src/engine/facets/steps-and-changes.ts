import type { JsonValue } from '../core/json.js';
import type { PublicForm } from '../core/log/public-form.js';
import type { PublicEvent, PublicEventType } from '../public-events.js';
import type { GateClosing } from '../vocabulary.js';

/*
 * What `engine.runs.follow` and `engine.runs.observe` show, made from the one form in which events are shown. Both stay for
 * those who use them.
 */

interface StepBase {
  /** The seq of the event in the run's log: the `afterSeq` of a reader that has seen it. */
  readonly seq: number;
  /** Epoch ms. */
  readonly at: number;
}

/**
 * One thing that a run did, for observers. Never an input, an output or a header.
 *
 * @deprecated Use `engine.runs.stream`, whose events are those of HTTP.
 */
export type RunStep = StepBase &
  (
    | {
        /** The unit is called, or waits until there is capacity for a call; `builtin.wait`: it waits. */
        readonly type: 'unit-started';
        readonly unitId: string;
        /** One per call, so that the passes of a loop are told apart; retries keep it. */
        readonly executionId: number;
      }
    | {
        readonly type: 'unit-retry';
        readonly unitId: string;
        readonly executionId: number;
        /** The number of the attempt that failed; counts from 1. */
        readonly attempt: number;
        readonly error: string;
        /** The time until the next attempt. */
        readonly delayMs: number;
      }
    | {
        readonly type: 'unit-finished';
        readonly unitId: string;
        /** Null: the unit took no time and never started (`builtin.set`). */
        readonly executionId: number | null;
      }
    | {
        readonly type: 'unit-failed';
        readonly unitId: string;
        readonly executionId: number;
        readonly attempt: number;
        readonly error: string;
      }
    | { readonly type: 'unit-skipped'; readonly unitId: string }
    | {
        readonly type: 'gate-opened';
        readonly unitId: string;
        readonly gateId: number;
        readonly title: string;
        readonly description: string | null;
        readonly payload: JsonValue;
      }
    | {
        readonly type: 'gate-decided';
        readonly unitId: string;
        readonly gateId: number;
        readonly approved: boolean;
        readonly responder: string;
      }
    | {
        readonly type: 'paused';
        /** The unit before or after which the author wants a pause, or whatever the reason names. */
        readonly unitId: string;
        readonly reason: string;
        /** What is wrong and what to do; null: the author wanted the pause. */
        readonly error: string | null;
      }
    | { readonly type: 'resumed' }
    | { readonly type: 'rewound' }
  );

export const RUN_MOMENTS = ['started', 'paused', 'completed', 'failed'] as const;
/** `paused`: nothing of the run continues without a person. A cancelled run has `failed`. */
export type RunMoment = (typeof RUN_MOMENTS)[number];

/**
 * More of them, for who asks for them. `resumed`: something of a run that was paused, or had failed, moves again. A run that
 * was `cancelled` has `failed`, too, and one whose `unitFailed` may go on.
 */
const FURTHER_MOMENTS = ['gateOpened', 'gateClosed', 'unitFailed', 'cancelled', 'resumed'] as const;
export const HOOK_MOMENTS = [...RUN_MOMENTS, ...FURTHER_MOMENTS] as const;
export type HookMoment = (typeof HOOK_MOMENTS)[number];

/**
 * What happened to a run.
 *
 * @deprecated Use `engine.runs.streamAll`, whose events are those of HTTP.
 */
export interface RunChange<Moment extends HookMoment = RunMoment> {
  readonly moment: Moment;
  readonly namespace: string;
  readonly workflowId: string;
  readonly runId: string;
  /** Epoch ms. */
  readonly at: number;
  /** What it is about, of one of `FURTHER_MOMENTS`; absent: the run as a whole. */
  readonly about?: ChangeDetails;
}

/** Nothing of it is long, as many may wait to be told: the question of a gate is in the list of gates. */
export interface ChangeDetails {
  readonly unitId: string;
  /** Of a gate. */
  readonly gateId?: number;
  /** Epoch ms at which the time of the gate is up; absent: it waits as long as it takes. */
  readonly dueAt?: number;
  /** How the gate closed: decided, or why it was not. */
  readonly closedBy?: 'decision' | GateClosing;
  /** Of a decision. */
  readonly approved?: boolean;
  /** Of the call that failed. */
  readonly executionId?: number;
  /** Why the unit failed, at most 1,000 characters. */
  readonly error?: string;
}

export type RunObserver<Moment extends HookMoment = RunMoment> = (change: RunChange<Moment>) => void;

/** The step that an event shows; null: none. The event must be whole. */
export function stepOf({ seq, at, type, data }: PublicEvent): RunStep | null {
  // Only this engine makes the events that are shown here: it knows their types.
  const make = STEPS[type as PublicEventType];
  const step = make === null ? null : make(data as unknown as Data, { at });
  return step === null ? null : ({ seq, at, ...step } as RunStep);
}

/** The fields of public events that steps have, too. */
interface Data {
  /** Null: the pause is of the whole run. */
  readonly unitId: string | null;
  readonly executionId: number;
  /** Absent for child runs. */
  readonly attempt?: number;
  readonly error?: string;
  readonly retryAt: number;
  readonly gateId: number;
  readonly title: string;
  readonly description: string | null;
  readonly payload: JsonValue;
  readonly approved: boolean;
  readonly responder: string;
  readonly reason: string;
  readonly pauseId?: number | null;
}

type Content = { readonly type: RunStep['type'] } & Readonly<Record<string, unknown>>;
type MakeStep = (data: Data, event: { readonly at: number }) => Content | null;

const STEPS: { readonly [T in PublicEventType]: MakeStep | null } = {
  // That a run starts and ends is known from its record.
  // `RunStep` is deprecated: what came after it is in the events alone.
  'gate.closed': null,
  'compensation.started': null,
  'compensation.failed': null,
  'compensation.finished': null,
  'run.started': null,
  'run.forked': null,
  'run.completed': null,
  'run.failed': null,
  'run.cancelled': null,
  // What it waits for has a step already.
  'run.paused': ({ unitId, reason, error = null }) =>
    reason === 'waiting' ? null : { type: 'paused', unitId: unitId ?? '', reason, error },
  // That a child run continues is no step; only a pause that is lifted has an id.
  'run.resumed': ({ pauseId }) => (pauseId === undefined ? null : { type: 'resumed' }),
  'run.rewound': () => ({ type: 'rewound' }),
  'unit.scheduled': ({ unitId, executionId }) => ({ type: 'unit-started', unitId, executionId }),
  'unit.retrying': ({ unitId, executionId, attempt, error, retryAt }, { at }) => ({
    type: 'unit-retry',
    unitId,
    executionId,
    attempt,
    error,
    delayMs: retryAt - at,
  }),
  'unit.finished': ({ unitId, executionId }) => ({ type: 'unit-finished', unitId, executionId }),
  // A child run is tried once.
  'unit.failed': ({ unitId, executionId, attempt = 1, error }) => ({
    type: 'unit-failed',
    unitId,
    executionId,
    attempt,
    error,
  }),
  'unit.skipped': ({ unitId }) => ({ type: 'unit-skipped', unitId }),
  'state.written': ({ unitId }) => ({ type: 'unit-finished', unitId, executionId: null }),
  'gate.opened': ({ unitId, gateId, title, description, payload }) => ({
    type: 'gate-opened',
    unitId,
    gateId,
    title,
    description,
    payload,
  }),
  'gate.decided': ({ unitId, gateId, approved, responder }) => ({
    type: 'gate-decided',
    unitId,
    gateId,
    approved,
    responder,
  }),
};

const MOMENTS: ReadonlyMap<PublicEventType, readonly HookMoment[]> = new Map([
  ['run.started', ['started']],
  ['run.completed', ['completed']],
  ['run.failed', ['failed']],
  ['run.cancelled', ['failed', 'cancelled']],
  ['run.resumed', ['resumed']],
  ['unit.failed', ['unitFailed']],
  ['gate.opened', ['gateOpened']],
  ['gate.decided', ['gateClosed']],
  ['gate.closed', ['gateClosed']],
]);
const NO_MOMENTS: readonly never[] = [];
const MAX_ERROR_CHARS = 1_000;

/** The changes of a run that an event is, pauses apart. */
export function momentsOf(type: PublicEventType): readonly HookMoment[] {
  return MOMENTS.get(type) ?? NO_MOMENTS;
}

/** What the event is about, where it is a unit or a gate. */
export function detailsOf({ type, data }: PublicForm): ChangeDetails | undefined {
  const given = data as unknown as Data & { readonly dueAt?: number; readonly why: GateClosing };
  const { unitId, gateId, executionId, dueAt, approved, error = '' } = given;
  if (unitId === null) return undefined;
  if (type === 'unit.failed') return { unitId, executionId, error: error.slice(0, MAX_ERROR_CHARS) };
  if (type === 'gate.opened') return { unitId, gateId, ...(dueAt === undefined ? {} : { dueAt }) };
  if (type === 'gate.decided') return { unitId, gateId, closedBy: 'decision', approved };
  return type === 'gate.closed' ? { unitId, gateId, closedBy: given.why } : undefined;
}
