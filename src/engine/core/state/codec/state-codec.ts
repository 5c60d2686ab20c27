import { PersistentMap } from '../persistent-map.js';
import type { JsonValue } from '../../json.js';
import type { Usage } from '../../log/event-base.js';
import { openIndexes } from '../../waits/state-indexes.js';
import { CHARS_OF_A_SCOPE, charsOfKeys } from '../overhead.js';
import { ROOT_SCOPE, type Cursor, type FanOut, type Round, type Scope, type Write } from '../scope.js';
import { charsOfUnitInputs } from '../unit-inputs.js';
import { INITIAL_STATE, type StateIndexes, type Draft, type GateDecision, type RunState } from '../state.js';
import type { Wait } from '../wait.js';

/**
 * The stored form of a state: plain JSON, each map a list of its entries in the order of their keys, so that equal states
 * have equal forms. Values of the author's and the run's are copied as they are, whatever they look like. The state indexes
 * are not stored but rebuilt: see `waits/state-indexes.ts`.
 */
export interface EncodedState extends Plain {
  readonly scopes: readonly (readonly [string, EncodedScope])[];
  readonly forks: readonly (readonly [string, FanOut])[];
  readonly waits: readonly Wait[];
  readonly decisions: readonly (readonly [number, GateDecision])[];
  readonly completed: readonly (readonly [string, number])[];
  readonly largestUsage: {
    readonly ofAny: Usage;
    readonly byUnit: readonly (readonly [string, Usage])[];
  };
}

interface EncodedScope {
  readonly cursor: Cursor;
  /** Key, seq, index, chars, value. */
  readonly writes: readonly (readonly [string, number, number, number, JsonValue])[];
  readonly passes: readonly (readonly [string, number])[];
  readonly rounds: readonly (readonly [string, Round])[];
}

/** What is plain JSON in the state itself. */
type Plain = Omit<
  RunState,
  'scopes' | 'forks' | 'waits' | 'decisions' | 'completed' | 'largestUsage' | keyof StateIndexes
>;

export function encodeState(state: RunState): JsonValue {
  const encoded: EncodedState = {
    runId: state.runId,
    namespace: state.namespace,
    workflowId: state.workflowId,
    definitionHash: state.definitionHash,
    parent: state.parent,
    isOnItsOwn: state.isOnItsOwn,
    followedSeq: state.followedSeq,
    endedSeq: state.endedSeq,
    rewoundSeq: state.rewoundSeq,
    origin: state.origin,
    forkedFrom: state.forkedFrom,
    isImported: state.isImported,
    generation: state.generation,
    unitInputs: state.unitInputs,
    phase: state.phase,
    seq: state.seq,
    eventAt: state.eventAt,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    input: state.input,
    usage: state.usage,
    budget: state.budget,
    error: state.error,
    cancelling: state.cancelling,
    activeMs: state.activeMs,
    activeSince: state.activeSince,
    activeLimitMs: state.activeLimitMs,
    isPauseTold: state.isPauseTold,
    checkpoint: state.checkpoint,
    logChars: state.logChars,
    scopes: entriesOf(state.scopes).map(([id, scope]) => [id, encodeScope(scope)]),
    forks: entriesOf(state.forks),
    waits: entriesOf(state.waits).map(([, wait]) => wait),
    decisions: entriesOf(state.decisions),
    completed: entriesOf(state.completed),
    largestUsage: { ofAny: state.largestUsage.ofAny, byUnit: entriesOf(state.largestUsage.byUnit) },
  };
  return encoded as unknown as JsonValue;
}

/** The inverse of `encodeState` for states of the present `STATE_VERSION`. */
export function decodeState(encoded: JsonValue): RunState {
  const { scopes, forks, waits, decisions, completed, largestUsage, ...plain } =
    encoded as unknown as EncodedState;
  const draft: Draft = {
    ...INITIAL_STATE,
    ...plain,
    scopes: PersistentMap.of(scopes.map(([id, scope]) => [id, decodeScope(id, scope)])),
    forks: PersistentMap.of(forks),
    decisions: PersistentMap.of(decisions),
    completed: PersistentMap.of(completed),
    largestUsage: { ofAny: largestUsage.ofAny, byUnit: PersistentMap.of(largestUsage.byUnit) },
  };
  openIndexes(draft, waits);
  for (const { chars } of draft.scopes.values()) draft.stateChars += chars;
  for (const { chars } of draft.forks.values()) draft.stateChars += chars;
  draft.stateChars += charsOfUnitInputs(draft.unitInputs);
  return draft;
}

function encodeScope({ cursor, writes, passes, rounds }: Scope): EncodedScope {
  return {
    cursor,
    writes: entriesOf(writes).map(([key, { seq, index, chars, value }]) => [key, seq, index, chars, value]),
    passes: entriesOf(passes),
    rounds: entriesOf(rounds),
  };
}

function decodeScope(id: string, { cursor, writes, passes, rounds }: EncodedScope): Scope {
  const entries = writes.map(([key, seq, index, chars, value]): [string, Write] => [
    key,
    { seq, index, chars, value },
  ]);
  const own = (id === ROOT_SCOPE ? 0 : CHARS_OF_A_SCOPE) + charsOfKeys(entries.length);
  const chars = entries.reduce((sum, [, write]) => sum + write.chars, own);
  return {
    cursor,
    writes: PersistentMap.of(entries),
    chars,
    passes: PersistentMap.of(passes),
    rounds: PersistentMap.of(rounds),
  };
}

/** The entries by key: the order of a map itself depends on how it came to be. */
function entriesOf<K extends string | number, V>(map: PersistentMap<K, V>): readonly (readonly [K, V])[] {
  return [...map.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
}
