import {
  endedRow,
  NOON,
  sampleAppend,
  sampleEvents,
  sampleKey,
  sampleRow,
  sampleRunId,
} from '../../../engine/testing/contract/run-store/support/sample-run.js';
import { StoreError } from '../../../errors/service-errors.js';
import { appendOf } from './append-rows.js';

const RUN = sampleRunId(1);
const GATE = { gateId: 1, unitId: 'sign', openedAt: NOON };

describe('an append before it is written', () => {
  it('has its events as one text, and its size', () => {
    const append = appendOf(
      sampleAppend(RUN, { expectedSeq: 3, storedState: { seq: 5, stateVersion: 7, state: [1] } }),
    );
    const events = JSON.stringify(sampleEvents(3, 2));
    expect(append.pieces).toEqual([{ firstSeq: 4, lastSeq: 5, at: NOON + 4, events }]);
    expect(append.state).toEqual({ seq: 5, stateVersion: 7, text: '[1]' });
    expect([append.lastSeq, append.chars]).toEqual([5, events.length + 3]);
  });

  it('of an import has pieces that follow one another', () => {
    const events = sampleEvents(0, 900).map((event) => ({ ...event, text: 'x'.repeat(1_000) }));
    const { pieces } = appendOf(sampleAppend(RUN, { events, row: sampleRow(RUN, { origin: 'import' }) }));
    expect(pieces.length).toBeGreaterThan(6);
    expect(pieces.map(({ firstSeq }) => firstSeq)).toEqual([
      1,
      ...pieces.slice(0, -1).map(({ lastSeq }) => lastSeq + 1),
    ]);
    expect(pieces.flatMap(({ events: text }) => JSON.parse(text) as unknown[])).toEqual(events);
  });

  it('that no message to the database can hold fails for good', () => {
    const event = { v: 1, seq: 1, at: NOON, type: 'x'.repeat(256 * 1024 * 1024) };
    expect(() => appendOf(sampleAppend(RUN, { events: [event] }))).toThrow(
      expect.objectContaining({ permanent: true, message: expect.stringContaining('256 MiB') }),
    );
  });

  it('is not the caller’s any more', () => {
    const labels: Record<string, string> = { team: 'a' };
    const openGates = [{ ...GATE }];
    const key = { ...sampleKey(RUN) };
    const append = appendOf(sampleAppend(RUN, { labels, openGates, idempotency: [key] }));
    labels['team'] = 'b';
    openGates[0]!.unitId = 'other';
    key.key = 'other';
    expect([append.labels, append.gates, append.keys]).toEqual([[['team', 'a']], [GATE], [sampleKey(RUN)]]);
  });

  it('has texts of callers and authors in a form that columns can hold', () => {
    const append = appendOf(
      sampleAppend(RUN, { labels: { 'a\0': '\ud83d' }, openGates: [{ ...GATE, unitId: '\0' }] }),
    );
    expect(append.labels).toEqual([['a\u241b0000', '\u241bd83d']]);
    expect(append.gates).toEqual([{ ...GATE, unitId: '\u241b0000' }]);
  });

  it('has labels and a registration with the first one only', () => {
    const startedFrom = { hash: 'hash-1', opening: null };
    const later = appendOf(sampleAppend(RUN, { expectedSeq: 2, labels: { a: 'b' }, startedFrom }));
    expect([later.labels, later.startedFrom]).toEqual([[], null]);
    expect(appendOf(sampleAppend(RUN, { startedFrom })).startedFrom).toEqual(startedFrom);
  });

  it('has no open gate once the run has ended, and is silent on gates where nothing was said', () => {
    const gatesOf = (changes: Parameters<typeof sampleAppend>[1]) =>
      appendOf(sampleAppend(RUN, changes)).gates;
    expect(gatesOf({ row: endedRow(RUN, NOON), openGates: [GATE] })).toEqual([]);
    expect(gatesOf({ row: endedRow(RUN, NOON) })).toEqual([]);
    expect(gatesOf({})).toBeNull();
  });

  it('has the last of several decisions at one gate', () => {
    const decided = (decidedSeq: number) => ({ ...GATE, decidedAt: NOON, decidedSeq });
    const { decisions } = appendOf(sampleAppend(RUN, { decidedGates: [decided(2), decided(4)] }));
    expect(decisions).toEqual([decided(4)]);
  });

  it.each([
    ['another id', sampleAppend('run 1')],
    ['an id in upper case', sampleAppend(RUN.toUpperCase())],
    ['another parent', sampleAppend(RUN, { row: sampleRow(RUN, { parentRunId: 'x' }) })],
    ['another source', sampleAppend(RUN, { row: sampleRow(RUN, { forkedFrom: 'x' }) })],
    ['a key of another run', sampleAppend(RUN, { idempotency: [sampleKey('x')] })],
    ['a key twice', sampleAppend(RUN, { idempotency: [sampleKey(RUN), sampleKey(RUN)] })],
  ])('is refused permanently with %s', (_what, request) => {
    expect(() => appendOf(request)).toThrow(StoreError);
    expect(() => appendOf(request)).toThrow(expect.objectContaining({ permanent: true }) as Error);
  });
});
