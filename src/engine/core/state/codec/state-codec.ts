import { charsOfVars } from '../run-vars.js';
import { PersistentMap } from '../collections/persistent-map.js';
import type { JsonValue } from '../../json.js';
import { approximateChars, charsOfField } from '../../json-size.js';
import type { Usage } from '../../log/event-base.js';
import { charsOfDebt, type Debt } from '../debts/debt.js';
import { indexDebts } from '../../fold/closing/debts.js';
import { openIndexes } from '../../waits/state-indexes.js';
import { CHARS_OF_A_SCOPE, charsOfKeys } from '../overhead.js';
import {
  ROOT_SCOPE,
  type Cursor,
  type FanOut,
  type OpenTry,
  type Round,
  type Scope,
  type Write,
} from '../scope.js';
import { decodeClosing, encodeClosing, type EncodedClosing } from './closing-codec.js';
import { charsOfUnitInputs } from '../unit-inputs.js';
import {
  INITIAL_STATE,
  type StateIndexes,
  type Draft,
  type EndBefore,
  type GateDecision,
  type RunState,
} from '../state.js';
import type { Wait } from '../wait.js';

/**
 * The stored form of a state: plain JSON, each map a list of its entries in the order of their keys, so that equal states
 * have equal forms. Values of the author's and the run's are copied as they are, whatever they look like. The state indexes
 * are not stored but rebuilt: see `waits/state-indexes.ts`.
 */
export interface EncodedState extends Plain {
  /** Absent: none are. */
  readonly again?: EncodedEnd;
  readonly scopes: readonly (readonly [string, EncodedScope])[];
  readonly forks: readonly (readonly [string, FanOut])[];
  readonly waits: readonly Wait[];
  readonly decisions: readonly (readonly [number, GateDecision])[];
  readonly completed: readonly (readonly [string, number])[];
  /** Absent: there are none. */
  readonly debts?: readonly (readonly [number, Debt])[];
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
  /** Absent: it is in none. */
  readonly tries?: readonly (readonly [string, OpenTry])[];
  readonly closing?: EncodedClosing;
  readonly key?: string;
}

interface EncodedEnd extends Omit<EndBefore, 'closing'> {
  readonly closing: EncodedClosing | null;
}

/** What is plain JSON in the state itself. */
type Plain = Omit<
  RunState,
  | 'scopes'
  | 'forks'
  | 'waits'
  | 'decisions'
  | 'completed'
  | 'debts'
  | 'largestUsage'
  | 'again'
  | keyof StateIndexes
>;

export function encodeState(state: RunState): JsonValue {
  const encoded: EncodedState = {
    ...plainOf(state),
    scopes: entriesOf(state.scopes).map(([id, scope]) => [id, encodeScope(scope)]),
    forks: entriesOf(state.forks),
    waits: entriesOf(state.waits).map(([, wait]) => wait),
    decisions: entriesOf(state.decisions),
    completed: entriesOf(state.completed),
    ...(state.debts.size === 0 ? {} : { debts: entriesOf(state.debts) }),
    largestUsage: { ofAny: state.largestUsage.ofAny, byUnit: entriesOf(state.largestUsage.byUnit) },
  };
  return encoded as unknown as JsonValue;
}

/**
 * What `approximateChars` gives of the encoded state. It sorts nothing and looks into no write: a state that grows is sized
 * again and again before it is worth encoding.
 */
export function charsOfEncoded(state: RunState): number {
  const { scopes, forks, waits, decisions, completed, largestUsage } = state;
  let chars = approximateChars({
    ...plainOf(state),
    ...NO_ITEMS,
    largestUsage: { ofAny: largestUsage.ofAny, byUnit: [] },
  });
  const add = (item: unknown): void => {
    chars += CHARS_OF_A_COMMA + approximateChars(item);
  };
  const addEntry = (value: unknown, key: string | number): void => add([key, value]);
  scopes.forEach((scope, id) => {
    const { size } = scope.writes;
    add([id, encodeScope({ ...scope, writes: NO_WRITES })]);
    chars += scope.chars - overheadOf(id, size) + size * CHARS_AROUND_A_WRITE;
  });
  forks.forEach(addEntry);
  waits.forEach((wait) => add(wait));
  decisions.forEach(addEntry);
  completed.forEach(addEntry);
  largestUsage.byUnit.forEach(addEntry);
  if (state.debts.size > 0) {
    chars += charsOfField('debts', []);
    state.debts.forEach(addEntry);
  }
  return chars;
}

const NO_ITEMS = { scopes: [], forks: [], waits: [], decisions: [], completed: [] };
const NO_WRITES = PersistentMap.empty<string, Write>();
const CHARS_OF_A_COMMA = 1;
/** What an encoded write takes in its list, beyond its `chars`: those are of a field of an object. */
const CHARS_AROUND_A_WRITE =
  CHARS_OF_A_COMMA + approximateChars(['', 0, 0, 0, null]) - charsOfField('', null);

/** The inverse of `encodeState` for states of the present `STATE_VERSION`. */
export function decodeState(encoded: JsonValue): RunState {
  const {
    scopes,
    forks,
    waits,
    decisions,
    completed,
    debts = [],
    largestUsage,
    again,
    ...plain
  } = encoded as unknown as EncodedState;
  const draft: Draft = {
    ...INITIAL_STATE,
    ...plain,
    scopes: PersistentMap.of(scopes.map(([id, scope]) => [id, decodeScope(id, scope)])),
    forks: PersistentMap.of(forks),
    decisions: PersistentMap.of(decisions),
    completed: PersistentMap.of(completed),
    debts: PersistentMap.of(debts),
    largestUsage: { ofAny: largestUsage.ofAny, byUnit: PersistentMap.of(largestUsage.byUnit) },
    ...(again === undefined ? {} : { again: decodeEnd(again) }),
  };
  openIndexes(draft, waits);
  for (const { chars } of draft.scopes.values()) draft.stateChars += chars;
  for (const { chars } of draft.forks.values()) draft.stateChars += chars;
  draft.stateChars += charsOfUnitInputs(draft.unitInputs) + charsOfVars(draft.vars);
  for (const debt of draft.debts.values()) draft.stateChars += charsOfDebt(debt);
  indexDebts(draft);
  draft.scopes.forEach(({ closing }, id) => {
    if (closing !== null) draft.undoingScopes = draft.undoingScopes.set(id, true);
  });
  return draft;
}

function plainOf(state: RunState): Plain & Pick<EncodedState, 'again'> {
  return {
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
    ...(state.vars === undefined ? {} : { vars: state.vars }),
    ...(state.output === undefined ? {} : { output: state.output }),
    ...(state.isUnwound === true ? { isUnwound: true as const } : {}),
    ...(state.again === undefined ? {} : { again: encodeEnd(state.again) }),
    ...(state.cancelledBy === undefined ? {} : { cancelledBy: state.cancelledBy }),
  };
}

function encodeEnd({ closing, ...end }: EndBefore): EncodedEnd {
  return { ...end, closing: closing === null ? null : encodeClosing(closing) };
}

function decodeEnd({ closing, ...end }: EncodedEnd): EndBefore {
  return { ...end, closing: closing === null ? null : decodeClosing(closing) };
}

function encodeScope({ cursor, writes, passes, rounds, tries, closing, key }: Scope): EncodedScope {
  return {
    cursor,
    writes: entriesOf(writes).map(([name, { seq, index, chars, value }]) => [name, seq, index, chars, value]),
    passes: entriesOf(passes),
    rounds: entriesOf(rounds),
    ...(tries.size === 0 ? {} : { tries: entriesOf(tries) }),
    ...(closing === null ? {} : { closing: encodeClosing(closing) }),
    ...(key === null ? {} : { key }),
  };
}

function decodeScope(id: string, encoded: EncodedScope): Scope {
  const { cursor, writes, passes, rounds, tries = [], closing, key = null } = encoded;
  const entries = writes.map(([name, seq, index, chars, value]): [string, Write] => [
    name,
    { seq, index, chars, value },
  ]);
  const chars = entries.reduce((sum, [, write]) => sum + write.chars, overheadOf(id, entries.length));
  return {
    cursor,
    writes: PersistentMap.of(entries),
    chars,
    passes: PersistentMap.of(passes),
    rounds: PersistentMap.of(rounds),
    tries: PersistentMap.of(tries),
    closing: closing === undefined ? null : decodeClosing(closing),
    key,
  };
}

/** What is in the `chars` of a scope next to those of its writes. */
function overheadOf(id: string, writes: number): number {
  return (id === ROOT_SCOPE ? 0 : CHARS_OF_A_SCOPE) + charsOfKeys(writes);
}

/** The entries by key: the order of a map itself depends on how it came to be. */
function entriesOf<K extends string | number, V>(map: PersistentMap<K, V>): readonly (readonly [K, V])[] {
  const entries: (readonly [K, V])[] = [];
  map.forEach((value, key) => {
    entries.push([key, value]);
  });
  return entries.sort((a, b) => (a[0] < b[0] ? -1 : 1));
}
