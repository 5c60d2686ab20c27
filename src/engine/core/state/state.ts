import { Map } from 'immutable';
import type { NodePath, ScopeId, Usage } from '../log/event.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { Fork, Scope } from './scope.js';

/** Grows when the encoded form changes; stored states of another version are rebuilt from the log. */
export const STATE_VERSION = 1;

/**
 * Everything there is to know of a run, folded from its log. Immutable; large collections share structure,
 * so that folding one event costs the same in the thousandth unit as in the first.
 */
export interface RunState {
  readonly runId: string;
  readonly workflowId: string;
  readonly definitionHash: string;
  readonly parent: { readonly runId: string; readonly executionId: number } | null;
  /** `live` is `running` or `paused`: see `status.ts`. */
  readonly phase: 'pending' | 'live' | 'completed' | 'failed' | 'cancelled';
  /** Seq of the last event; 0 before the first. */
  readonly seq: number;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly input: JsonObject;
  readonly scopes: Map<ScopeId, Scope>;
  readonly forks: Map<string, Fork>;
  /** Open waits, by the seq of the event that opened them. */
  readonly executions: Map<number, Execution>;
  readonly gates: Map<number, Gate>;
  readonly timers: Map<number, Timer>;
  readonly pauses: Map<number, Pause>;
  /** Decisions that were made, by gate. */
  readonly decisions: Map<number, Decision>;
  /** Unit → seq of its first completion, which orders them. */
  readonly completed: Map<string, number>;
  readonly usage: Usage;
  readonly error: string | null;
  /** Ms spent running, without the stretch that is open since `activeSince`. */
  readonly activeMs: number;
  /** Epoch ms since when the run is running; null while it is paused or over. */
  readonly activeSince: number | null;
  /** Ms of running after which the run fails; null: no bound. */
  readonly activeLimitMs: number | null;
  /** Seq of the newest checkpoint; 0: none. */
  readonly checkpoint: number;
}

interface Waiting {
  readonly path: NodePath;
  readonly scope: ScopeId;
  readonly unitId: string;
}

/** One scheduled execution of a unit whose result is not recorded yet. */
export interface Execution extends Waiting {
  readonly id: number;
  /** Absent: the run's input. */
  readonly input?: JsonValue;
  /** A built-in's settings as evaluated; null: as the plan has them. */
  readonly settings: JsonObject | null;
  /** What its `Idempotency-Key` is made of: its own id, or that of the execution that it repeats. */
  readonly key: number;
  readonly timeoutMs: number;
  /** The attempt that is in flight or comes next; counts from 1. */
  readonly attempt: number;
  /** Epoch ms before which the attempt must not begin; 0: at once. */
  readonly retryAt: number;
  /** An attempt may have done the work although it failed, so a later try must keep the key. */
  readonly mayBeDone: boolean;
  /** How often a start of the service found it in flight. */
  readonly recoveries: number;
  /** Set while a `recovery-limit` pause holds it back. */
  readonly held: boolean;
}

export interface Gate extends Waiting {
  readonly title: string;
  readonly description: string | null;
  readonly payload: JsonValue;
  readonly onReject: 'fail' | 'continue';
  readonly openedAt: number;
}

export interface Timer extends Waiting {
  /** Epoch ms. */
  readonly dueAt: number;
}

export interface Pause extends Waiting {
  readonly reason: 'before' | 'after' | 'recovery-limit';
  readonly executionId: number | null;
}

export interface Decision {
  readonly unitId: string;
  readonly approved: boolean;
  readonly responder: string;
}

/** The state of a run before its first event. */
export const INITIAL_STATE: RunState = {
  runId: '',
  workflowId: '',
  definitionHash: '',
  parent: null,
  phase: 'pending',
  seq: 0,
  createdAt: 0,
  updatedAt: 0,
  input: {},
  scopes: Map(),
  forks: Map(),
  executions: Map(),
  gates: Map(),
  timers: Map(),
  pauses: Map(),
  decisions: Map(),
  completed: Map(),
  usage: { tokens: 0, cost: 0 },
  error: null,
  activeMs: 0,
  activeSince: null,
  activeLimitMs: null,
  checkpoint: 0,
};
