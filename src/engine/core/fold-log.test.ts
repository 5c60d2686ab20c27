import { foldLog, baseStatesNeeded } from './fold-log.js';
import { anonymous } from './log/actor.js';
import type { NewEvent, RunEvent } from './log/event.js';
import { stampEvent } from './log/event-kinds.js';
import { encodeState } from './state/codec/state-codec.js';
import { INITIAL_STATE } from './state/state.js';
import { recordedState } from './state/view/state-view.js';

const by = anonymous('http', 'ann');
const written = (n: number): NewEvent => ({
  type: 'state-written',
  path: '/spec/flow',
  scope: '',
  unitId: 'note',
  values: { [`key${n}`]: n },
});
const back = (toSeq: number): NewEvent => ({ type: 'rewound', toSeq, by });

function logOf(...events: readonly NewEvent[]): readonly RunEvent[] {
  return events.map((event, index) => stampEvent(event, index + 1, index));
}

describe('a log with rewinds', () => {
  // The second rewind goes back to a state that the first one led to, the last one to a state before all of them.
  const log = logOf(written(1), written(2), back(1), written(4), back(3), written(6), back(4), back(2));

  it('is folded by itself, each rewind to the state that the log had led to', () => {
    const keysAt = (count: number) => Object.keys(recordedState(foldLog(INITIAL_STATE, log.slice(0, count))));
    expect([3, 4, 5, 6, 7, 8].map(keysAt)).toEqual([
      ['key1'],
      ['key1', 'key4'],
      ['key1'],
      ['key1', 'key6'],
      ['key1', 'key4'],
      ['key1', 'key2'],
    ]);
  });

  it('says which states before its part are needed to fold the part', () => {
    expect([0, 1, 2, 3, 4, 5, 7].map((from) => baseStatesNeeded(from, log.slice(from)))).toEqual([
      [],
      [],
      [1],
      [2],
      [2, 3],
      [2, 4],
      [2],
    ]);
  });

  it('is the same, folded from any state with those that are needed', () => {
    const whole = encodeState(foldLog(INITIAL_STATE, log));
    for (let from = 0; from < log.length; from++) {
      const rest = log.slice(from);
      const needed = baseStatesNeeded(from, rest);
      const baseStates = new Map(needed.map((seq) => [seq, foldLog(INITIAL_STATE, log.slice(0, seq))]));
      const loaded = foldLog(foldLog(INITIAL_STATE, log.slice(0, from)), rest, baseStates);
      expect(encodeState(loaded)).toEqual(whole);
    }
  });

  it('is not folded without them', () => {
    const from = foldLog(INITIAL_STATE, log.slice(0, 2));
    const fold = () => foldLog(from, log.slice(2));
    expect(fold).toThrow('To fold a rewind, give the state after event 1 with it.');
    expect(() => foldLog(from, log.slice(2), new Map([[1, INITIAL_STATE]]))).toThrow('after event 1');
  });
});
