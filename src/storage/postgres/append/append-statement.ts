import { compensationText } from '../../../engine/ports/store/compensation-text.js';
import type { SqlValue } from '../database/database.js';
import { escaped } from '../database/escaped.js';
import { hasRow, isStored } from '../database/look-up.js';
import { positionSql } from '../log/positions.js';
import type { Append, Piece } from './append-rows.js';
import { idsAs, RowList } from './row-list.js';

/**
 * Many appends, of different runs, as one statement: one commit for all, with one message each way.
 *
 * It has no BEGIN. All of its parts see one snapshot, that of its beginning, and its transaction is given its id after that. So of
 * two appends of a run the later one, which finds the earlier one's seq in its snapshot, has the greater id: positions of a run
 * grow. What others commit meanwhile is met where it matters, by locks:
 *
 * - `moved`: a row that another transaction has locked is waited for, and its `last_seq` compared again as it is then. Either the
 *   seq of the snapshot still holds, and nobody can change the row before the commit, or the append is a conflict.
 * - `made`: of two that make a run the second waits for the first, and then makes none.
 * - `kept`, `sources`: what a first append needs is locked against its deletion (FOR KEY SHARE, which no append waits for). Whoever
 *   deletes it locks it first and looks afterwards for runs that name it, so either that sees this run, or this finds nothing.
 * - Keys, and nothing else, are refused by an index: who comes second fails with the whole group, whose members are then tried
 *   apart (`append-groups.ts`).
 *
 * What is written beside the row follows from `made` and `moved`, so it is there for those that were, and only they. No other
 * transaction writes what belongs to a run while its row is locked, so what the snapshot has of its gates and states is true.
 *
 * A run that is not in the snapshot has no purge before it that is still open: its tombstone has a lesser position.
 */
export interface AppendStatement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** A log that remains of a purged run of the same id has to be deleted first. */
export type Refusal = 'conflict' | 'stale' | 'remains';

/**
 * What a statement has in it, by bits. Each combination is a text of its own, which every connection parses and plans once and keeps:
 * few bits make few of them, and what is rare is together.
 */
const MOVES = 1;
const STARTS = 2;
const STATES = 4;
/** Nearly every run has had some, or ends, which closes them. */
const CLOSED_GATES = 8;
/** Forks, gates that are opened or decided, keys, labels, entries of families. */
const OTHERS = 16;

/** Older stored states only help rewinds, which can also fold the log. */
const KEPT_STATES = 3;
/** A shorter log has few states, which are no longer than it is: they are let be. */
const SHORT_LOG = 64;

/** An append, and the ordinal of the last of its rows in the log. */
interface Placed {
  readonly append: Append;
  readonly place: number;
}

interface OfRun<Value> {
  readonly runId: string;
  readonly value: Value;
}

/** The rows of a statement; the order within a list is that of the runs' ids. */
interface Rows {
  readonly moves: readonly Placed[];
  readonly starts: readonly Placed[];
  readonly pieces: readonly (OfRun<Piece> & { readonly place: number })[];
  readonly states: readonly OfRun<NonNullable<Append['state']>>[];
  readonly oldStates: readonly string[];
  readonly closedGates: readonly string[];
  readonly gates: readonly OfRun<NonNullable<Append['gates']>[number]>[];
  readonly decisions: readonly OfRun<Append['decisions'][number]>[];
  readonly keys: readonly OfRun<Append['keys'][number]>[];
  readonly labels: readonly OfRun<Append['labels'][number]>[];
  readonly family: readonly string[];
}

const runIdOf = ({ runId }: { readonly runId: string }): string => runId;

/** An imported log may have instants with fractions of a millisecond; events keep theirs. */
const wholeOrNull = (ms: number | null): number | null => (ms === null ? null : Math.floor(ms));

/** The columns that change with every append. */
const PROGRESS = new RowList<Placed>({
  run_id: ['uuid', ({ append }) => append.runId],
  last_seq: ['bigint', ({ append }) => append.lastSeq],
  place: ['integer', ({ place }) => place],
  status: ['text', ({ append: { row } }) => row.status],
  updated_at: ['bigint', ({ append: { row } }) => Math.floor(row.updatedAt)],
  ended_at: ['bigint', ({ append: { row } }) => wholeOrNull(row.endedAt)],
  open_executions: ['integer', ({ append: { row } }) => row.openExecutions],
  wake_at: ['bigint', ({ append: { row } }) => wholeOrNull(row.wakeAt)],
  is_cancelled: ['boolean', ({ append: { row } }) => row.isCancelled],
  tokens: ['double precision', ({ append: { row } }) => row.figures?.tokens ?? null],
  cost: ['double precision', ({ append: { row } }) => row.figures?.cost ?? null],
  active_ms: ['bigint', ({ append: { row } }) => wholeOrNull(row.figures?.activeMs ?? null)],
  active_since: ['bigint', ({ append: { row } }) => wholeOrNull(row.figures?.activeSince ?? null)],
  compensation: ['text', ({ append: { row } }) => compensationText(row.compensation)],
  gates: ['integer', ({ append: { gates } }) => gates?.length ?? null],
});

const MOVE = PROGRESS.with({ expected_seq: ['bigint', ({ append }) => append.expectedSeq] });

/** What never changes of a run is written with its first append. */
const START = PROGRESS.with({
  namespace: ['text', ({ append: { row } }) => escaped(row.namespace)],
  workflow_id: ['text', ({ append: { row } }) => escaped(row.workflowId)],
  definition_hash: ['text', ({ append: { row } }) => escaped(row.definitionHash)],
  created_at: ['bigint', ({ append: { row } }) => Math.floor(row.createdAt)],
  parent_run_id: ['uuid', ({ append: { row } }) => row.parentRunId],
  origin: ['text', ({ append: { row } }) => row.origin],
  forked_from: ['uuid', ({ append: { row } }) => row.forkedFrom],
  started_hash: [
    'text',
    ({ append: { startedFrom } }) => (startedFrom === null ? null : escaped(startedFrom.hash)),
  ],
  opening: ['text', ({ append: { startedFrom } }) => escapedOrNull(startedFrom?.opening ?? null)],
});

const PIECE = new RowList<Rows['pieces'][number]>({
  run_id: ['uuid', runIdOf],
  first_seq: ['bigint', ({ value }) => value.firstSeq],
  last_seq: ['bigint', ({ value }) => value.lastSeq],
  at: ['bigint', ({ value }) => Math.floor(value.at)],
  events: ['json', ({ value }) => value.events],
  place: ['integer', ({ place }) => place],
});

const STATE = new RowList<Rows['states'][number]>({
  run_id: ['uuid', runIdOf],
  seq: ['bigint', ({ value }) => value.seq],
  state_version: ['integer', ({ value }) => value.stateVersion],
  state: ['json', ({ value }) => value.text],
});

const GATE = new RowList<Rows['gates'][number]>({
  run_id: ['uuid', runIdOf],
  gate_id: ['bigint', ({ value }) => value.gateId],
  unit_id: ['text', ({ value }) => value.unitId],
  opened_at: ['bigint', ({ value }) => Math.floor(value.openedAt)],
});

const DECISION = new RowList<Rows['decisions'][number]>({
  run_id: ['uuid', runIdOf],
  gate_id: ['bigint', ({ value }) => value.gateId],
  unit_id: ['text', ({ value }) => value.unitId],
  opened_at: ['bigint', ({ value }) => Math.floor(value.openedAt)],
  decided_at: ['bigint', ({ value }) => Math.floor(value.decidedAt)],
  decided_seq: ['bigint', ({ value }) => value.decidedSeq],
});

const KEY = new RowList<Rows['keys'][number]>({
  run_id: ['uuid', runIdOf],
  scope: ['text', ({ value }) => value.scope],
  key: ['text', ({ value }) => value.key],
  fingerprint: ['text', ({ value }) => value.fingerprint],
  of_run_id: ['uuid', ({ value }) => value.runId],
});

const LABEL = new RowList<Rows['labels'][number]>({
  run_id: ['uuid', runIdOf],
  name: ['text', ({ value: [name] }) => name],
  value: ['text', ({ value: [, value] }) => value],
});

/** `$1` is the base of positions. */
const FIRST_PLACEHOLDER = 2;
const POSITION = (place: string): string => positionSql('$1', place);

/**
 * The statement for these appends, whose runs are different. `lastPieceOnly`: the others, which come before it in the log, are
 * written by themselves.
 */
export function appendStatement(
  appends: readonly Append[],
  base: number,
  { lastPieceOnly = false }: { readonly lastPieceOnly?: boolean } = {},
): AppendStatement {
  const rows = rowsOf(appends, lastPieceOnly);
  const parts = partsOf(rows);
  return {
    sql: sqlOf(parts),
    values: [base, ...inputsOf(parts).flatMap(({ values }) => values(rows))],
  };
}

/** Everybody locks rows in the order of their ids, as far as PostgreSQL takes them as they come: so few wait in a circle. */
function rowsOf(appends: readonly Append[], lastPieceOnly: boolean): Rows {
  const sorted = [...appends].sort((one, other) => (one.runId < other.runId ? -1 : 1));
  const moves: Placed[] = [];
  const starts: Placed[] = [];
  const pieces: Rows['pieces'][number][] = [];
  let ordinal = 0;
  for (const append of sorted) {
    const { runId } = append;
    for (const piece of append.pieces) pieces.push({ runId, value: piece, place: ordinal++ });
    (append.expectedSeq === 0 ? starts : moves).push({ append, place: ordinal - 1 });
  }
  const of = <Value>(listOf: (append: Append) => readonly Value[]): readonly OfRun<Value>[] =>
    sorted.flatMap((append) => listOf(append).map((value) => ({ runId: append.runId, value })));
  const runsWhere = (isOne: (append: Append) => boolean): readonly string[] =>
    sorted.filter(isOne).map(({ runId }) => runId);
  return {
    moves,
    starts,
    pieces: lastPieceOnly ? pieces.slice(-1) : pieces,
    states: of(({ state }) => (state === null ? [] : [state])),
    oldStates: runsWhere(({ state }) => state !== null && state.seq > SHORT_LOG),
    closedGates: runsWhere(({ expectedSeq, gates }) => expectedSeq > 0 && gates !== null),
    gates: of(({ gates }) => gates ?? []),
    decisions: of(({ decisions }) => decisions),
    keys: of(({ keys }) => keys),
    labels: of(({ labels }) => labels),
    family: runsWhere(({ concernsFamily }) => concernsFamily),
  };
}

function partsOf(rows: Rows): number {
  const { gates, decisions, keys, labels, family } = rows;
  const others = gates.length + decisions.length + keys.length + labels.length + family.length;
  const isFork = ({ append: { row } }: Placed): boolean => row.origin === 'fork' && row.forkedFrom !== null;
  return (
    (rows.moves.length > 0 ? MOVES : 0) |
    (rows.starts.length > 0 ? STARTS : 0) |
    (rows.states.length > 0 ? STATES : 0) |
    (rows.closedGates.length > 0 ? CLOSED_GATES : 0) |
    (rows.starts.some(isFork) || others > 0 ? OTHERS : 0)
  );
}

/** Rows that a statement is given. */
interface Input {
  readonly name: string;
  /** 0: every statement has it. */
  readonly part: number;
  /** How many placeholders it has. */
  readonly width: number;
  /** As a table, with placeholders from this one on. */
  readonly table: (first: number) => string;
  readonly values: (rows: Rows) => readonly SqlValue[];
}

function input<Row>(
  name: string,
  part: number,
  list: RowList<Row>,
  rowsIn: (rows: Rows) => readonly Row[],
): Input {
  return {
    name,
    part,
    width: list.width,
    table: (first) => list.table(name, first),
    values: (rows) => list.values(rowsIn(rows)),
  };
}

const IDS = idsAs('run_id');

/** In the order of their placeholders. */
const INPUTS: readonly Input[] = [
  input('moves', MOVES, MOVE, ({ moves }) => moves),
  input('starts', STARTS, START, ({ starts }) => starts),
  input('pieces', 0, PIECE, ({ pieces }) => pieces),
  input('states', STATES, STATE, ({ states }) => states),
  input('old_states', STATES, IDS, ({ oldStates }) => oldStates),
  input('closed_gates', CLOSED_GATES, IDS, ({ closedGates }) => closedGates),
  input('gates', OTHERS, GATE, ({ gates }) => gates),
  input('decisions', OTHERS, DECISION, ({ decisions }) => decisions),
  input('keys', OTHERS, KEY, ({ keys }) => keys),
  input('labels', OTHERS, LABEL, ({ labels }) => labels),
  input('family', OTHERS, IDS, ({ family }) => family),
];

function inputsOf(parts: number): readonly Input[] {
  return INPUTS.filter(({ part }) => part === 0 || (parts & part) !== 0);
}

const texts = new Map<number, string>();

function sqlOf(parts: number): string {
  const known = texts.get(parts);
  if (known !== undefined) return known;
  const text = textOf(parts);
  texts.set(parts, text);
  return text;
}

/** The text of the parts: each is a line that is there, or not. */
function textOf(parts: number): string {
  const has = (part: number): boolean => (parts & part) !== 0;
  const tables = new Map<string, string>();
  const firsts = new Map<string, number>();
  let next = FIRST_PLACEHOLDER;
  for (const { name, width, table } of inputsOf(parts)) {
    tables.set(name, table(next));
    firsts.set(name, next);
    next += width;
  }
  const given = (name: string): string => tables.get(name) ?? '';
  /** The first array of an input: the ids of its runs. Such a list of values also says in which partitions these are. */
  const ids = (name: string): string => `$${firsts.get(name)}::uuid[]`;
  const ctes = [
    ...(has(OTHERS) ? [`keys AS MATERIALIZED (SELECT * FROM ${given('keys')})`, TAKEN] : []),
    ...(has(STARTS) ? [`starts AS MATERIALIZED (SELECT * FROM ${given('starts')})`, KEPT] : []),
    ...(has(STARTS) && has(OTHERS) ? [SOURCES] : []),
    ...(has(STARTS) ? [judgedSql(ids('starts'), has(OTHERS)), MADE] : []),
    ...(has(MOVES)
      ? [`moves AS MATERIALIZED (SELECT * FROM ${given('moves')})`, movedSql(ids('moves'), has(OTHERS))]
      : []),
    writtenSql(has(STARTS), has(MOVES)),
    `logged AS (${loggedSql(given('pieces'))})`,
    ...(has(STATES)
      ? [`stated AS (${statedSql(given('states'))})`, `forgotten AS (${forgottenSql(ids('old_states'))})`]
      : []),
    ...(has(OTHERS) ? [`gates AS MATERIALIZED (SELECT * FROM ${given('gates')})`] : []),
    ...(has(CLOSED_GATES) ? [`closed AS (${closedSql(ids('closed_gates'), has(OTHERS))})`] : []),
    ...(has(OTHERS)
      ? [
          `opened AS (${OPENED})`,
          `decided AS (${decidedSql(given('decisions'))})`,
          `keyed AS (${KEYED})`,
          `labelled AS (${labelledSql(given('labels'))})`,
          `related AS (${relatedSql(ids('family'))})`,
        ]
      : []),
  ];
  const refused = [...(has(STARTS) ? [REFUSED_STARTS] : []), ...(has(MOVES) ? [REFUSED_MOVES] : [])];
  return `WITH ${ctes.join(',\n')}\n${refused.join('\nUNION ALL ')}`;
}

const TAKEN = `taken AS MATERIALIZED (
  SELECT DISTINCT keys.run_id FROM keys
  WHERE ${hasRow('@.idempotency AS i WHERE i.scope = keys.scope AND i.key = keys.key')})`;

/** The definitions, each locked once. One that is deleted meanwhile is not among them. */
const KEPT = `kept AS MATERIALIZED (
  SELECT d.namespace, d.hash FROM @.definitions AS d
    JOIN (SELECT DISTINCT starts.namespace, starts.definition_hash FROM starts) AS named
    ON d.namespace = named.namespace AND d.hash = named.definition_hash
  FOR KEY SHARE OF d)`;

/** The runs that forks are initialised from. None of them is moved by the same statement (`waiting-appends.ts`). */
const SOURCES = `sources AS MATERIALIZED (
  SELECT r.run_id FROM @.runs AS r
    JOIN (SELECT DISTINCT starts.forked_from FROM starts WHERE starts.origin = 'fork') AS named
    ON r.run_id = named.forked_from
  FOR KEY SHARE OF r)`;

/**
 * What is to become of first appends. What is a conflict and stale is a conflict. A registration is read, not locked: one that was
 * made before this statement holds, and of one that is made meanwhile nobody can say which came first. A run may name a definition
 * that was never stored; one that is stored must not go meanwhile. What is imported may come before its source.
 */
function judgedSql(startIds: string, hasOthers: boolean): string {
  const isTaken = hasOthers ? `OR EXISTS (SELECT 1 FROM taken WHERE taken.run_id = starts.run_id)` : '';
  // The bounds say in which partitions they are, before each is looked for.
  const within = `>= (${startIds})[1] AND r.run_id <= (${startIds})[cardinality(${startIds})]`;
  const remainsIn = (table: string): string =>
    hasRow(`@.${table} AS r WHERE r.run_id = starts.run_id AND r.run_id ${within}`);
  const hasLostSource = hasOthers
    ? `WHEN starts.origin = 'fork' AND starts.forked_from IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM sources WHERE sources.run_id = starts.forked_from) THEN 'stale'`
    : '';
  return `judged AS MATERIALIZED (
  SELECT starts.*, CASE
    WHEN ${isStored('starts.run_id')} ${isTaken} THEN 'conflict'
    WHEN starts.started_hash IS NOT NULL AND NOT ${hasRow(`@.registrations AS g
      WHERE g.namespace = starts.namespace AND g.workflow_id = starts.workflow_id AND g.hash = starts.started_hash
        AND (starts.opening IS NULL OR g.opening = starts.opening)`)} THEN 'stale'
    WHEN NOT EXISTS (
        SELECT 1 FROM kept WHERE kept.namespace = starts.namespace AND kept.hash = starts.definition_hash)
      AND (starts.started_hash IS NOT NULL OR ${hasRow(`@.definitions AS d
        WHERE d.namespace = starts.namespace AND d.hash = starts.definition_hash`)}) THEN 'stale'
    ${hasLostSource}
    WHEN ${remainsIn('log')} OR ${remainsIn('states')} THEN 'remains'
    END AS refusal
  FROM starts)`;
}

/** The root of a child's family follows from its parent's row; where that is not there, the parent is taken for it. */
const MADE = `made AS (
  INSERT INTO @.runs (
    run_id, shard_byte, namespace, workflow_id, definition_hash, status, created_at, updated_at, ended_at,
    open_executions, wake_at, last_seq, last_position, gates, parent_run_id, root_run_id, origin, forked_from,
    is_cancelled, tokens, cost, active_ms, active_since, compensation)
  SELECT j.run_id, get_byte(uuid_send(j.run_id), 15), j.namespace, j.workflow_id, j.definition_hash, j.status,
    j.created_at, j.updated_at, j.ended_at, j.open_executions, j.wake_at, j.last_seq, ${POSITION('j.place')},
    coalesce(j.gates, 0), j.parent_run_id,
    CASE WHEN j.origin = 'child' AND j.parent_run_id IS NOT NULL THEN coalesce(
      (SELECT coalesce(p.root_run_id, p.run_id) FROM @.runs AS p WHERE p.run_id = j.parent_run_id),
      j.parent_run_id) END,
    j.origin, j.forked_from, j.is_cancelled, j.tokens, j.cost, j.active_ms, j.active_since,
    j.compensation
  FROM judged AS j WHERE j.refusal IS NULL ORDER BY j.run_id
  ON CONFLICT (run_id) DO NOTHING
  RETURNING run_id, namespace, workflow_id, created_at, last_position)`;

/** The ids are named by themselves, so that no plan, whenever it was made, joins the moves with all runs. */
function movedSql(moveIds: string, hasKeys: boolean): string {
  const able = hasKeys
    ? `able AS MATERIALIZED (
  SELECT moves.* FROM moves WHERE NOT EXISTS (SELECT 1 FROM taken WHERE taken.run_id = moves.run_id)),
`
    : '';
  return `${able}moved AS (
  UPDATE @.runs AS r SET
    status = m.status, updated_at = m.updated_at, ended_at = m.ended_at, open_executions = m.open_executions,
    wake_at = m.wake_at, is_cancelled = m.is_cancelled, tokens = m.tokens, cost = m.cost, active_ms = m.active_ms,
    active_since = m.active_since, compensation = m.compensation, gates = coalesce(m.gates, r.gates), last_seq = m.last_seq,
    last_position = ${POSITION('m.place')}
  FROM ${hasKeys ? 'able' : 'moves'} AS m
  WHERE r.run_id = ANY (${moveIds}) AND r.run_id = m.run_id AND r.last_seq = m.expected_seq
  RETURNING r.run_id, r.namespace, r.workflow_id, r.created_at, r.last_position)`;
}

function writtenSql(hasStarts: boolean, hasMoves: boolean): string {
  const both = [...(hasStarts ? ['SELECT * FROM made'] : []), ...(hasMoves ? ['SELECT * FROM moved'] : [])];
  return `written AS MATERIALIZED (${both.join(' UNION ALL ')})`;
}

function loggedSql(pieces: string): string {
  return `
  INSERT INTO @.log (run_id, last_seq, first_seq, position, at, events)
  SELECT pieces.run_id, pieces.last_seq, pieces.first_seq, ${POSITION('pieces.place')}, pieces.at, pieces.events
  FROM ${pieces} JOIN written ON written.run_id = pieces.run_id`;
}

function statedSql(states: string): string {
  return `
  INSERT INTO @.states (run_id, seq, state_version, state)
  SELECT states.run_id, states.seq, states.state_version, states.state
  FROM ${states} JOIN written ON written.run_id = states.run_id
  ON CONFLICT (run_id, seq) DO UPDATE SET state_version = excluded.state_version, state = excluded.state`;
}

/** The snapshot has not the state that is written: of the others it keeps one less. */
function forgottenSql(runIds: string): string {
  return `
  DELETE FROM @.states AS old USING written
  WHERE old.run_id = ANY (${runIds}) AND old.run_id = written.run_id AND old.seq < (
    SELECT s.seq FROM @.states AS s WHERE s.run_id = ANY (${runIds}) AND s.run_id = old.run_id
    ORDER BY s.seq DESC OFFSET ${KEPT_STATES - 2} LIMIT 1)`;
}

function closedSql(runIds: string, hasGates: boolean): string {
  const areOthers = hasGates
    ? `
    AND NOT EXISTS (SELECT 1 FROM gates WHERE gates.run_id = g.run_id AND gates.gate_id = g.gate_id)`
    : '';
  return `
  DELETE FROM @.open_gates AS g USING written
  WHERE g.run_id = ANY (${runIds}) AND g.run_id = written.run_id${areOthers}`;
}

/** An open gate stays as it is: what it was opened with never changes. */
const OPENED = `
  INSERT INTO @.open_gates (run_id, gate_id, unit_id, opened_at, namespace, workflow_id, created_at)
  SELECT gates.run_id, gates.gate_id, gates.unit_id, gates.opened_at,
    written.namespace, written.workflow_id, written.created_at
  FROM gates JOIN written ON written.run_id = gates.run_id
  ON CONFLICT (run_id, gate_id) DO NOTHING`;

function decidedSql(decisions: string): string {
  return `
  INSERT INTO @.decided_gates (run_id, gate_id, unit_id, opened_at, decided_at, decided_seq, namespace, workflow_id)
  SELECT decisions.run_id, decisions.gate_id, decisions.unit_id, decisions.opened_at, decisions.decided_at,
    decisions.decided_seq, written.namespace, written.workflow_id
  FROM ${decisions} JOIN written ON written.run_id = decisions.run_id
  ON CONFLICT (run_id, gate_id) DO UPDATE SET
    unit_id = excluded.unit_id, opened_at = excluded.opened_at,
    decided_at = excluded.decided_at, decided_seq = excluded.decided_seq`;
}

const KEYED = `
  INSERT INTO @.idempotency (scope, key, fingerprint, run_id)
  SELECT keys.scope, keys.key, keys.fingerprint, keys.of_run_id
  FROM keys JOIN written ON written.run_id = keys.run_id
  ORDER BY keys.scope, keys.key`;

function labelledSql(labels: string): string {
  return `
  INSERT INTO @.run_labels (run_id, name, value, namespace, created_at)
  SELECT labels.run_id, labels.name, labels.value, written.namespace, written.created_at
  FROM ${labels} JOIN written ON written.run_id = labels.run_id`;
}

function relatedSql(runIds: string): string {
  return `
  INSERT INTO @.family_log (position, run_id)
  SELECT written.last_position, written.run_id FROM written WHERE written.run_id = ANY (${runIds})`;
}

/** What is not named was appended. */
const REFUSED_STARTS = `SELECT judged.run_id, coalesce(judged.refusal, 'conflict') AS refusal FROM judged
WHERE NOT EXISTS (SELECT 1 FROM made WHERE made.run_id = judged.run_id)`;

const REFUSED_MOVES = `SELECT moves.run_id, 'conflict' AS refusal FROM moves
WHERE NOT EXISTS (SELECT 1 FROM moved WHERE moved.run_id = moves.run_id)`;

function escapedOrNull(text: string | null): string | null {
  return text === null ? null : escaped(text);
}
