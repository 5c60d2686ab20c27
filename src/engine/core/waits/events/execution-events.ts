import type { JsonObject, JsonValue } from '../../json.js';
import type { DoneIn } from '../../state/debts/debt.js';
import { approximateChars, charsOfField, charsOfFields } from '../../json-size.js';
import type { EventBase, Location, Usage } from '../../log/event-base.js';
import type { Message } from '../wait-kind.js';

/**
 * A unit was called.
 *
 * This file says what the events, signals and messages of an execution hold, and `execution.ts` what they mean.
 */
export interface UnitScheduled extends EventBase, Location {
  readonly type: 'unit-scheduled';
  readonly unitId: string;
  /**
   * The evaluated input: after a crash the unit is called with the same one. Absent for a unit without a `with`: it gets the
   * run's input, which stands in the log already and may be large.
   */
  readonly input?: JsonValue;
  /** A built-in's settings as evaluated; null where they hold no expression, and for all other units. */
  readonly settings: JsonObject | null;
  /** Set when a failed execution of unknown outcome is tried again: its key is kept. */
  readonly key: number | null;
  /** The time-out of each attempt, in ms. */
  readonly timeoutMs: number;
  /** Another unit can undo it; absent: none can. */
  readonly compensable?: DoneIn;
  /** The execution that it undoes; absent: none. */
  readonly compensates?: number;
}

export interface UnitAttemptFailed extends EventBase {
  readonly type: 'unit-attempt-failed';
  readonly executionId: number;
  readonly unitId: string;
  /** Counts from 1. */
  readonly attempt: number;
  readonly error: string;
  readonly outcome: 'refused' | 'unknown';
  readonly retryAt: number;
}

export interface UnitFinished extends EventBase {
  readonly type: 'unit-finished';
  readonly executionId: number;
  readonly unitId: string;
  readonly attempt: number;
  readonly output: JsonValue;
  /** State keys that the unit returned next to its output. */
  readonly patch: JsonObject | null;
  readonly usage: Usage | null;
  /** What the flow around the unit reads: `route`, `delegations`. */
  readonly metadata: JsonObject | null;
}

export interface UnitFailed extends EventBase {
  readonly type: 'unit-failed';
  readonly executionId: number;
  readonly unitId: string;
  readonly attempt: number;
  readonly error: string;
  readonly retryable: boolean;
  /** `unknown`: the unit may have done its work (network, time-out, 5xx), so a later try keeps its key. */
  readonly outcome: 'refused' | 'unknown';
  /** What a `catch` reads; absent: the workflow catches nothing. */
  readonly code?: 'unit' | 'timeout' | 'budget';
  /** The HTTP status of the last answer, if it was one. */
  readonly status?: number;
}

/** These executions were being called when the process died; the run's other ones are not counted. */
export interface Recovered extends EventBase {
  readonly type: 'recovered';
  readonly executionIds: readonly number[];
}

export type ExecutionEvent = UnitScheduled | UnitAttemptFailed | UnitFinished | UnitFailed | Recovered;

/** The outcome of an attempt. */
export type ExecutionSignal =
  | {
      readonly type: 'unit-finished';
      readonly executionId: number;
      readonly attempt: number;
      readonly output: JsonValue;
      readonly patch: JsonObject | null;
      readonly usage: Usage | null;
      readonly metadata: JsonObject | null;
    }
  | {
      readonly type: 'unit-attempt-failed';
      readonly executionId: number;
      readonly attempt: number;
      readonly error: string;
      readonly retryable: boolean;
      readonly outcome: 'refused' | 'unknown';
      readonly retryAfterMs: number | null;
      /** The HTTP status that it was answered with; absent: it was none. */
      readonly status?: number;
      /** Its own time was over. */
      readonly isTimeout?: true;
    };

export type ExecutionMessage = Message &
  (
    | {
        readonly type: 'unit-output';
        readonly sourceUnitId: string;
        readonly data: JsonValue;
        readonly attempt: number;
      }
    | { readonly type: 'state-update'; readonly key: string }
    | {
        readonly type: 'cost-update';
        readonly unitId: string;
        readonly tokens: number;
        readonly cost: number;
      }
    | {
        readonly type: 'unit-retry';
        readonly unitId: string;
        readonly attempt: number;
        readonly error: string;
        readonly delayMs: number;
      }
    | {
        readonly type: 'unit-failed';
        readonly unitId: string;
        readonly attempt: number;
        readonly error: string;
      }
  );

const STAMP = ['v', 'seq', 'at'];
/** The size without the fields whose size differs. */
const CHARS_OF_SCHEDULED =
  charsOfFields({
    scalars: [...STAMP, 'key', 'timeoutMs'],
    others: ['type', 'path', 'scope', 'unitId', 'settings'],
  }) + approximateChars('unit-scheduled');

export function charsOfScheduled(event: UnitScheduled): number {
  const { path, scope, unitId, input, settings, compensable, compensates } = event;
  const texts = approximateChars(path) + approximateChars(scope) + approximateChars(unitId);
  const more =
    charsOfField('compensable', compensable as JsonValue | undefined) +
    charsOfField('compensates', compensates);
  return CHARS_OF_SCHEDULED + texts + approximateChars(settings) + charsOfField('input', input) + more;
}

const CHARS_OF_FINISHED =
  charsOfFields({
    scalars: [...STAMP, 'executionId', 'attempt'],
    others: ['type', 'unitId', 'output', 'patch', 'usage', 'metadata'],
  }) + approximateChars('unit-finished');

export function charsOfFinished({ unitId, output, patch, usage, metadata }: UnitFinished): number {
  const beside = approximateChars(patch) + approximateChars(usage) + approximateChars(metadata);
  return CHARS_OF_FINISHED + approximateChars(unitId) + approximateChars(output) + beside;
}
