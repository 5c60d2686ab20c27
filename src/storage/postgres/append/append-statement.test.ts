import type { AppendRequest } from '../../../engine/ports/store/append.js';
import {
  endedRow,
  NOON,
  sampleAppend,
  sampleKey,
  sampleRow,
  sampleRunId,
} from '../../../engine/testing/contract/run-store/support/sample-run.js';
import { appendOf } from './append-rows.js';
import { appendStatement } from './append-statement.js';

const [ONE, TWO, THREE] = [1, 2, 3].map((index) => sampleRunId(index)) as [string, string, string];
const BASE = 7;
const GATE = { gateId: 1, unitId: 'sign', openedAt: NOON };

const statementOf = (...requests: readonly AppendRequest[]) => appendStatement(requests.map(appendOf), BASE);

const move = (runId: string, changes: Parameters<typeof sampleAppend>[1] = {}): AppendRequest =>
  sampleAppend(runId, { expectedSeq: 2, ...changes });

/** One of each kind that a statement may have in it. */
const KINDS: readonly (readonly [name: string, request: AppendRequest])[] = [
  ['a move', move(ONE)],
  ['a start', sampleAppend(ONE)],
  ['a fork', sampleAppend(ONE, { row: sampleRow(ONE, { origin: 'fork', forkedFrom: TWO }) })],
  ['a state', move(ONE, { storedState: { seq: 4, stateVersion: 1, state: {} } })],
  ['a state of a long log', move(ONE, { storedState: { seq: 400, stateVersion: 1, state: {} } })],
  ['an end', move(ONE, { row: endedRow(ONE, NOON) })],
  ['gates', move(ONE, { openGates: [GATE] })],
  ['a decision', move(ONE, { decidedGates: [{ ...GATE, decidedAt: NOON, decidedSeq: 3 }] })],
  ['a key', move(ONE, { idempotency: [sampleKey(ONE)] })],
  ['labels', sampleAppend(ONE, { labels: { a: 'b' } })],
  ['an entry of families', move(ONE, { concernsFamily: true })],
];

const everyPair = KINDS.flatMap(([name, first]) =>
  KINDS.map(([other, second]) => [name, other, first, { ...second, runId: TWO }] as const),
);

function placeholdersIn(sql: string): readonly number[] {
  const all = [...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
  return [...new Set(all)].sort((one, other) => one - other);
}

describe('the statement of a group of appends', () => {
  it.each(everyPair)(
    'of %s and %s has a value for each placeholder, and a placeholder for each value',
    (...pair) => {
      const { sql, values } = statementOf(pair[2], pair[3]);
      expect(placeholdersIn(sql)).toEqual(values.map((_, index) => index + 1));
    },
  );

  it.each(KINDS)('of %s has no hole in its text', (_name, request) => {
    const { sql } = statementOf(request);
    expect(sql).not.toMatch(/undefined|NaN|FROM\s+JOIN|,\s*,|\$null/);
    expect(sql.match(/\(/g)?.length).toBe(sql.match(/\)/g)?.length);
  });

  it('has the same text for groups of one kind, whatever their size', () => {
    const { sql } = statementOf(move(ONE));
    expect(statementOf(move(ONE), move(TWO), move(THREE)).sql).toBe(sql);
    expect(statementOf(sampleAppend(ONE)).sql).not.toBe(sql);
  });

  it('touches nothing that no append has', () => {
    const { sql } = statementOf(move(ONE));
    expect(sql).not.toMatch(/idempotency|open_gates|decided_gates|states|family_log|run_labels|definitions/);
    const start = statementOf(sampleAppend(ONE)).sql;
    expect(start).toContain('FOR KEY SHARE OF d');
    expect(start).not.toContain('FOR KEY SHARE OF r');
  });

  it('has its rows in the order of the runs’ ids, and of the log’s rows the ordinals', () => {
    const { sql, values } = statementOf(move(THREE), move(ONE), move(TWO));
    const [base, runIds] = values;
    expect([base, runIds]).toEqual([BASE, [ONE, TWO, THREE]]);
    const places = /AS moves \((.*)\)\)/.exec(sql)?.[1]?.split(', ').indexOf('place') ?? -1;
    expect(values[1 + places]).toEqual([0, 1, 2]);
  });

  it('has texts escaped, and what is not there as null', () => {
    const row = sampleRow(ONE, { workflowId: 'a\0', figures: null });
    const { values } = statementOf(sampleAppend(ONE, { row }));
    expect(values).toContainEqual(['a\u241b0000']);
    expect(values.filter((value) => Array.isArray(value) && value[0] === null).length).toBeGreaterThan(6);
  });

  it('has whole milliseconds only, as the columns do', () => {
    const half = NOON + 0.5;
    const figures = { tokens: 0.5, cost: 0.5, activeMs: 0.5, activeSince: half };
    const changes = { createdAt: half, updatedAt: half, endedAt: half, wakeAt: half, figures };
    const events = [{ v: 1, seq: 1, at: half, type: 'x' }];
    const gates = { openGates: [{ ...GATE, openedAt: half }] };
    const decidedGates = [{ ...GATE, openedAt: half, decidedAt: half, decidedSeq: 1 }];
    for (const row of [sampleRow(ONE, changes), sampleRow(ONE, { ...changes, endedAt: null })]) {
      const { values } = statementOf(sampleAppend(ONE, { events, row, ...gates, decidedGates }));
      const fractions = values.flat().filter((value) => typeof value === 'number' && value % 1 !== 0);
      expect(fractions).toEqual([0.5, 0.5]);
    }
  });

  it('has JSON as one text, with what no JSON has between two, not in arrays', () => {
    const events = [{ v: 1, seq: 3, at: 1, type: '"\u001f"' }];
    const storedState = { seq: 3, stateVersion: 1, state: {} };
    const { sql, values } = statementOf(move(ONE, { events, storedState }), move(TWO, { events }));
    const text = JSON.stringify(events);
    expect(text).not.toContain('\u001f');
    expect(values).toContain(`${text}\u001f${text}`);
    expect(values).toContain('{}');
    expect(sql.match(/string_to_array\(\$\d+::text, E'\\x1F'\)/g)).toHaveLength(2);
  });

  it('has few texts, whatever is in it', () => {
    const kinds = new Set(everyPair.map(([, , one, other]) => statementOf(one, other).sql));
    expect(kinds.size).toBeLessThanOrEqual(24);
  });

  it('can have the last piece of an import alone, with its own ordinal', () => {
    const events = Array.from({ length: 400 }, (_, index) => ({
      v: 1,
      seq: index + 1,
      at: 1,
      type: 'x'.repeat(1_000),
    }));
    const append = appendOf(sampleAppend(ONE, { events, row: sampleRow(ONE, { origin: 'import' }) }));
    const last = append.pieces.length - 1;
    expect(last).toBeGreaterThan(1);
    const { values } = appendStatement([append], BASE, { lastPieceOnly: true });
    expect(values).toContain(append.pieces[last]?.events);
    expect(
      values.filter((value) => Array.isArray(value) && value.length === 1 && value[0] === last),
    ).toHaveLength(2);
  });
});
