import { PersistentMap } from './collections/persistent-map.js';
import type { NodePath, Origin, Location, RunParent, ScopeId, Usage } from '../log/event-base.js';
import type { Actor } from '../log/actor.js';
import type { JsonObject, JsonValue } from '../json.js';
import { DEFAULT_NAMESPACE } from '../namespace.js';
import { NO_LARGEST_USAGE, NO_USAGE, type LargestUsage, type RunBudget } from './run-budget.js';
import type { Debt } from './debts/debt.js';
import type { DebtByAge } from './debts/debts-by-age.js';
import { NO_DEBTS, type DebtCounts } from './debts/debt-counts.js';
import type { DueHeap } from './collections/due-heap.js';
import { ROOT_SCOPE, type Closing, type Cursor, type FanOut, type Scope } from './scope.js';
import type { Wait } from './wait.js';

/**
 * Grows when the encoded form changes; stored states of another version are rebuilt from the log. Not for a field whose
 * default is what the logs of before fold to.
 */
export const STATE_VERSION = 6;

/**
 * Everything there is to know of a run, folded from its log. Immutable; large collections share structure,
 * so that folding one event costs the same in the thousandth unit as in the first.
 */
export interface RunState extends StateIndexes {
  readonly runId: string;
  readonly namespace: string;
  readonly workflowId: string;
  readonly definitionHash: string;
  /** The account that started it, whose share of what is scarce it uses. Absent: nobody was authenticated, or the engine did. */
  readonly owner?: string;
  readonly parent: RunParent | null;
  /** A child run that was continued by its own address after its end: its parent neither waits for it nor steers it. */
  readonly isOnItsOwn: boolean;
  /** Seq, in the parent's log, of the newest pause of its parent that the run followed; 0: none. */
  readonly followedSeq: number;
  /** Seq of the event with which the run last came to an end, whatever was noted or tried since; 0: it did not. */
  readonly endedSeq: number;
  /** Seq of the last rewind: the waits that it put back count as new from there; 0: there was none. */
  readonly rewoundSeq: number;
  /** What made the run. */
  readonly origin: Origin['type'];
  /** The run that it is a fork of; null: of none. */
  readonly forkedFrom: string | null;
  /** Its log was written elsewhere: nothing of it is ever called, and nothing moves it. */
  readonly isImported: boolean;
  /** How many logs of other runs, each a fork of the next, its state is folded from; 0: its own is enough. */
  readonly generation: number;
  /** What units are given where they are scheduled next, in place of what their `with` says; mostly nothing. */
  readonly unitInputs: readonly UnitInput[];
  /** `live` is `running` or `paused`: see `status.ts`. */
  readonly phase: 'pending' | 'live' | 'completed' | 'failed' | 'cancelled';
  /** Seq of the last event; 0 before the first. */
  readonly seq: number;
  /** Epoch ms of the last event. */
  readonly eventAt: number;
  /** Epoch ms. */
  readonly createdAt: number;
  /** Epoch ms of the last event that changed what is shown of the run. */
  readonly updatedAt: number;
  readonly input: JsonObject;
  /** What `spec.vars` gave before the run was made. Absent: the workflow has none. */
  readonly vars?: JsonObject;
  readonly scopes: PersistentMap<ScopeId, Scope>;
  readonly forks: PersistentMap<string, FanOut>;
  /** Open waits, by id. Only `waits/state-indexes.ts` changes them. */
  readonly waits: PersistentMap<number, Wait>;
  /** Decisions that were made, by gate; of a child run the last one, by the wait for it. */
  readonly decisions: PersistentMap<number, GateDecision>;
  /** By execution, what was done and can be undone. */
  readonly debts: PersistentMap<number, Debt>;
  /** Unit → seq of its first completion, which orders them. */
  readonly completed: PersistentMap<string, number>;
  readonly usage: Usage;
  readonly largestUsage: LargestUsage;
  /** What the run may spend, as it was last given with a resume; null: as the plan has it. */
  readonly budget: RunBudget | null;
  readonly error: string | null;
  /** What the run gave, as `spec.output` says. Absent: it is not over, or its workflow says nothing. */
  readonly output?: JsonValue;
  /** It failed, and what ran because of that cannot be taken back: it is not resumed. Absent: nothing did. */
  readonly isUnwound?: true;
  /** Compensations that had failed are tried again. Absent: none are. */
  readonly again?: EndBefore;
  /** Who cancelled the run that was cancelled. Absent: it was not, or nothing of it can be undone. */
  readonly cancelledBy?: Actor;
  /** The run is being cancelled; null: it is not. */
  readonly cancelling: Cancelling | null;
  /** Ms spent running, without the time since `activeSince`. */
  readonly activeMs: number;
  /** Epoch ms since when the run is running; null while it is paused or over. */
  readonly activeSince: number | null;
  /** Ms of running after which the run fails; null: no bound. */
  readonly activeLimitMs: number | null;
  /** Clients were told that the run is paused, and not yet that it continues or is over (`EventBase.newStatus`). */
  readonly isPauseTold: boolean;
  /** Seq of the newest checkpoint; 0: none. */
  readonly checkpoint: number;
  /** About how many characters the log holds. */
  readonly logChars: number;
}

/**
 * Figures that would else cost a walk over all waits and scopes. `waits/state-indexes.ts` and `fold/` keep them up to date;
 * they are never stored.
 */
export interface StateIndexes {
  /** The open waits, counted by activity (see `wait.ts`). */
  readonly inFlight: number;
  readonly moving: number;
  readonly forPeople: number;
  readonly stops: number;
  readonly suspensions: number;
  /** When waits move by themselves; entries of waits that closed or changed stay in it until they come up. */
  readonly due: DueHeap | null;
  /** The entries that were due by the last event and that the shell acts upon by itself: they need no wake-up. */
  readonly passed: DueHeap | null;
  /** How many entries both heaps have, and how many of them are current. */
  readonly dueEntries: number;
  readonly dueWaits: number;
  /** The open calls that another unit can undo. */
  readonly undoableCalls: PersistentMap<number, true>;
  /** The debts, the last one first; null: there are none. */
  readonly debtsByAge: DebtByAge | null;
  readonly debtCounts: DebtCounts;
  /** The scopes in which something is being undone, and maybe some in which it was: what counts is their closing. */
  readonly undoingScopes: PersistentMap<ScopeId, true>;
  /** About how many characters the vars, the writes of all scopes, the items of fan-outs, the waits and `unitInputs` hold. */
  readonly stateChars: number;
}

/** A state that one turn, or one loading, made and nothing else refers to yet: it may be changed in place. */
export type Draft = { -readonly [K in keyof RunState]: RunState[K] };

/** How the run had ended, as it is to end again, and where its root thread stood. */
export interface EndBefore {
  readonly phase: 'completed' | 'failed' | 'cancelled';
  readonly error: string | null;
  readonly cursor: Cursor;
  readonly closing: Closing | null;
  /** What it waited for, by id: it is set aside until the run has ended again. Absent: nothing. */
  readonly waits?: readonly Wait[];
}

export interface Cancelling {
  readonly by: Actor;
  /** Epoch ms until which what was in flight may complete. */
  readonly graceUntil: number;
  /** The units of `spec.onCancel` run. */
  readonly isCleaningUp: boolean;
}

/** An input that a unit gets in place of what its `with` says, when its thread next comes to that location. */
export interface UnitInput extends Location {
  readonly unitId: string;
  readonly input: JsonValue;
}

export interface GateDecision {
  readonly unitId: string;
  readonly approved: boolean;
  readonly responder: string;
  /** Epoch ms. */
  readonly decidedAt: number;
  /** The run went back to before the decision, and has not come to it since. Absent: it stands. */
  readonly isTakenBack?: true;
  /**
   * The child run of `unitId` in which it was made, or below which it was. Absent: it was made at a gate of the run itself.
   */
  readonly runId?: string;
}

export const EMPTY_INDEXES: StateIndexes = {
  inFlight: 0,
  moving: 0,
  forPeople: 0,
  stops: 0,
  suspensions: 0,
  due: null,
  passed: null,
  dueEntries: 0,
  dueWaits: 0,
  undoableCalls: PersistentMap.empty(),
  debtsByAge: null,
  debtCounts: NO_DEBTS,
  undoingScopes: PersistentMap.empty(),
  stateChars: 0,
};

/** The state of a run before its first event. */
export const INITIAL_STATE: RunState = {
  runId: '',
  namespace: DEFAULT_NAMESPACE,
  workflowId: '',
  definitionHash: '',
  parent: null,
  isOnItsOwn: false,
  followedSeq: 0,
  endedSeq: 0,
  rewoundSeq: 0,
  origin: 'client',
  forkedFrom: null,
  isImported: false,
  generation: 0,
  unitInputs: [],
  phase: 'pending',
  seq: 0,
  eventAt: 0,
  createdAt: 0,
  updatedAt: 0,
  input: {},
  scopes: PersistentMap.empty(),
  forks: PersistentMap.empty(),
  waits: PersistentMap.empty(),
  decisions: PersistentMap.empty(),
  debts: PersistentMap.empty(),
  completed: PersistentMap.empty(),
  usage: NO_USAGE,
  largestUsage: NO_LARGEST_USAGE,
  budget: null,
  error: null,
  cancelling: null,
  activeMs: 0,
  activeSince: null,
  activeLimitMs: null,
  isPauseTold: false,
  checkpoint: 0,
  logChars: 0,
  ...EMPTY_INDEXES,
};

/** Where a run's root thread stands, for what concerns all of the run. */
export function rootPath(state: RunState): NodePath {
  return state.scopes.get(ROOT_SCOPE)?.cursor.path ?? '';
}
